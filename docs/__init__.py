"""The documentation: pages by kind, what writes the generated ones (`generate`), and how the site is built (`conf`)."""
