"""Lessons for pages and the terminal: the course, answers, figures, and the progress of learners."""
