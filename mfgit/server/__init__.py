"""The HTTP face: typed endpoints over `Project`, for chat backends, reviewers and the admin page."""
