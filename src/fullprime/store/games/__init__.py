"""Games in play: events, rooms, talk, and the notices that tell other processes."""
