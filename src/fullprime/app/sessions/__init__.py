"""Game sessions as a server keeps them: in memory, stored before they are told, shown to each seat as it may see them."""
