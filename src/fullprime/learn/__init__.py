"""Learning the game: lessons, trainers, puzzles, flashcards, openings, the glossary, the position of the day."""
