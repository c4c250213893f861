"""The sentences that say why a proposal is there, in English and Chinese: written in English, told in a reader's language."""
