"""What all layers use: arguments, files, limits, notices."""
