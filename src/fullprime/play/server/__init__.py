"""Game sessions as a server keeps them: in memory, stored before they are told, shown as each seat may see them."""
