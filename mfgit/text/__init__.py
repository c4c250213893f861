"""Words and questions in English and Chinese: folding, tokens, normalising, slugs."""
