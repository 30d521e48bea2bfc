"""Rollouts: positions played out many times, with the luck of the dice taken out."""
