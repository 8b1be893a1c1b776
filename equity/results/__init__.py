"""Answers: tallies of deals, results, and how they are written."""
