# Completion of mfgit for fish, loaded at the first TAB. mfgit itself says what fits.
_MFGIT_COMPLETE=fish_source mfgit 2>/dev/null | source
