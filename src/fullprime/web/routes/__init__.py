"""The routes of the API and who may call them."""
