"""What learners have done in drills, as it is stored."""
