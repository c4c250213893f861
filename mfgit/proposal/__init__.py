"""From a record to the bytes of its branch: pure, so that the same record on the same tree is the same branch."""
