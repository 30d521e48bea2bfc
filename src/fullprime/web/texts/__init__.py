"""The texts of the pages in every language: one file a language, the English text being the key (ADR 39)."""
