"""A LlamaIndex retriever that asks a knowledge base of mfgit."""

import asyncio
from collections.abc import Sequence
from typing import Any, Literal

from described import metadata_of, text_of
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from mfgit.passages import Hit
from mfgit.project.living import Living

SHOWN = ("citation",)
"""The metadata that a model is shown beside the text."""


class MfgitRetriever(BaseRetriever):
    """Finds passages, originals first. The order is the ranking; the score is BM25 and alone would put overlays elsewhere."""

    def __init__(
        self,
        knowledge: Living,
        *,
        limit: int = 5,
        roots: Sequence[str] = (),
        only: Literal["original", "overlay"] | None = None,
        history: Sequence[str] = (),
        **more: Any,
    ) -> None:
        """Ask an open repository; `roots`, `only` and `history` as in `mfgit search`."""
        super().__init__(**more)
        self.knowledge, self.limit, self.roots, self.only, self.history = knowledge, limit, roots, only, history

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        """Return the passages for a question."""
        found = self.knowledge.search(
            query_bundle.query_str, limit=self.limit, roots=self.roots, only=self.only, history=self.history
        )
        nodes = [node_of(hit, found.commit) for hit in found.hits]
        return [NodeWithScore(node=node, score=node.metadata["score"]) for node in nodes]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        """Return the passages for a question, found in a thread."""
        return await asyncio.to_thread(self._retrieve, query_bundle)


def node_of(hit: Hit, commit: str) -> TextNode:
    """Return a passage as a node; its id tells two parts of one long section apart."""
    metadata = metadata_of(hit, commit)
    hidden = [name for name in metadata if name not in SHOWN]
    return TextNode(
        id_=f"{hit.citation}:{hit.passage.lines[0]}",
        text=text_of(hit),
        metadata=metadata,
        excluded_llm_metadata_keys=hidden,
        excluded_embed_metadata_keys=list(metadata),
    )
