"""The engine: turns a spot into a result, by enumeration or Monte Carlo."""
