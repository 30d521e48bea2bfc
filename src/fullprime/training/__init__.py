"""How nets are made, from zero: self-play, fitting, export and the gate, resumable steps with files between."""
