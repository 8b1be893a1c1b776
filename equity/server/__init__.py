"""The server: every operation over HTTP and over standard streams, for pages and programs."""
