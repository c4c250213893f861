"""Everything Git about proposals: branches without a checkout, what Git knows of them, merging and landing."""
