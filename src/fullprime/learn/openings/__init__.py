"""The opening explorer as a service: the book and its neighbours, own games beside it, and its extension."""
