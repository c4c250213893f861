"""A LangChain retriever that asks a knowledge base of mfgit."""

import asyncio
from collections.abc import Sequence
from typing import Literal

from described import metadata_of, text_of
from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from mfgit.project.living import Living


class MfgitRetriever(BaseRetriever):
    """Finds passages, originals first. `retriever.invoke(question, history=[…])` reads a follow-up with the turns before it."""

    knowledge: Living
    """The open repository; many threads may ask it."""
    limit: int = 5
    roots: Sequence[str] = ()
    """Knowledge roots (paths or workspace ids) outside of which nothing is seen; none for all."""
    only: Literal["original", "overlay"] | None = None

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun | None = None, history: Sequence[str] = ()
    ) -> list[Document]:
        """Return the passages for a question."""
        found = self.knowledge.search(query, limit=self.limit, roots=self.roots, only=self.only, history=history)
        return [
            Document(id=hit.citation, page_content=text_of(hit), metadata=metadata_of(hit, found.commit)) for hit in found.hits
        ]

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun | None = None, history: Sequence[str] = ()
    ) -> list[Document]:
        """Return the passages for a question, found in a thread."""
        return await asyncio.to_thread(self._get_relevant_documents, query, history=history)
