"""What keeps an index: one module an engine, each with its `ENGINE`; `mfgit.index.engine` lists them."""
