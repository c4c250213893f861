"""The search index: passages → hits. Derived, kept in the Git common directory, rebuilt when it is lost or damaged."""
