"""What people may choose before they sit down: rules, options, opponents, a position to begin with."""
