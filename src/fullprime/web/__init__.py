"""The board in the browser: a server for games over HTTP, and the pages it serves. Needs the extra ``web``."""
