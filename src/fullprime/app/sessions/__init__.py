"""Game sessions as a server keeps them: in memory, stored before they are told, shared between processes."""
