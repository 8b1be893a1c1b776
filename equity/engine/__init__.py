"""The engine: from a spot to a result."""
