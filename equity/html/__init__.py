"""Answers as HTML: for the page of the server, for reports, and for notebooks.

Fragments have classes and no styles; ``answers.css`` has the colours, light and dark.
"""
