"""Helpers for all layers: argument checks, file reading, resource limits, notices."""
