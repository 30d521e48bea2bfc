"""The school as a service: the course for a page or a terminal, its answers, its figures, a learner's progress."""
