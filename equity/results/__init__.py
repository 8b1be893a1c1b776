"""Results: tallies of deals, the figures that follow from them, and their output."""
