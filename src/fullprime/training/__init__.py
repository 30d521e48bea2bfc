"""How nets are made, from zero: self-play, labels, fitting, export and the gate, as resumable steps with files between."""
