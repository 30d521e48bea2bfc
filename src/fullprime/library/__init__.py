"""The library for pages: questions, uploads, marks, collections, studies, and two judges beside each other."""
