"""Views of a spot: streets, next card, equity distribution, blockers.

A view asks the engine many questions that belong together and puts the answers
side by side.  Each is a function that returns a record with rows; how it looks in a
terminal stands beside it, and its picture in :mod:`equity.views.plots`.
"""
