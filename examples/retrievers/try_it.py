"""Ask a knowledge base through both retrievers, sync and async: `python try_it.py REPOSITORY QUESTION…` prints JSON lines."""

import asyncio
import json
import sys
from typing import Any

import langchain_retriever
import llamaindex_retriever

from mfgit.project.living import Living


def told(text: str, score: float | None, metadata: dict[str, Any]) -> dict[str, Any]:
    """Return what is printed of a passage."""
    return {"text": text, "score": score, "metadata": metadata}


async def both(knowledge: Living, question: str) -> dict[str, Any]:
    """Return the passages of both retrievers, which are the same whichever way they are asked."""
    chain = langchain_retriever.MfgitRetriever(knowledge=knowledge)
    index = llamaindex_retriever.MfgitRetriever(knowledge)
    documents, nodes = await chain.ainvoke(question), await index.aretrieve(question)
    return {
        "langchain": [told(found.page_content, found.metadata["score"], found.metadata) for found in documents],
        "llamaindex": [told(found.get_content(), found.score, found.metadata) for found in nodes],
        "same": (documents, nodes) == (chain.invoke(question), index.retrieve(question)),
    }


if __name__ == "__main__":
    with Living(sys.argv[1]) as opened:
        for asked in sys.argv[2:]:
            print(json.dumps(asyncio.run(both(opened, asked)), ensure_ascii=False))
