"""Optional helpers that a team may switch on: an embedder for likeness by meaning, a polisher for wording.

`open_embedder` and `open_polisher` give what the settings ask for, or the null form. Nothing of a model's library and
nothing of HTTP is loaded before it is used.
"""

import os
from collections.abc import Mapping

from mfgit.backends.protocols import Embedder, NullEmbedder, NullPolisher, Polisher
from mfgit.sections import LlmConfig, VectorConfig


def open_embedder(settings: VectorConfig, environment: Mapping[str, str] | None = None) -> Embedder:
    """Return the embedder of the `[vector]` settings: an endpoint where `url` is set, a local model where only `model` is.

    Raises `BadInput` for settings that cannot be used and for a missing optional library. `environment` holds the key.
    """
    if settings.url:
        from mfgit.backends.embedding import HttpEmbedder

        return HttpEmbedder(settings, os.environ if environment is None else environment)
    if settings.model:
        from mfgit.backends.local import LocalEmbedder

        return LocalEmbedder(settings)
    return NullEmbedder()


def open_polisher(settings: LlmConfig, environment: Mapping[str, str] | None = None) -> Polisher:
    """Return the polisher of the `[llm]` settings; the null form where `url` is not set.

    Raises `BadInput` for settings that cannot be used and for a missing optional library. `environment` holds the key.
    """
    if settings.url:
        from mfgit.backends.polishing import HttpPolisher

        return HttpPolisher(settings, os.environ if environment is None else environment)
    return NullPolisher()
