"""A knowledge base in two languages and what to do with it, for the tests of search."""

import json
from typing import Unpack

from mfgit.project import Project
from mfgit.project.options import Asking
from tests.builders import Workbench, aliases_file

PAGES = {
    "help/backups.md": "# Backups\n\n## Retention\n\nNightly backups are kept for 30 days.\n\n"
    "## Restore\n\nChoose a night and the files.\n",
    "help/refunds.md": "# Refunds\n\nWe give your money back within fourteen days of the purchase.\n",
    "help/roles.md": "# Roles\n\nAn editor writes pages, a viewer reads them and an owner pays.\n",
    "help/limits.md": "# Limits\n\nThe value `max_requests_per_minute` is 600 for every token.\n",
    "帮助/备份.md": "# 备份\n\n## 保留时间\n\n夜间备份保留 30 天。\n\n## 恢复\n\n选择日期和要恢复的文件。\n",
    "帮助/发票.md": "# 发票\n\n## 修改抬头\n\n发票开出后三十天内，可以在订单页修改一次发票抬头。\n",
    "index.json": aliases_file(
        ("help/refunds.md", "Refunds", ["want my cash returned"]), ("帮助/发票.md", "发票", ["单据找不到"])
    ),
}
ID = "0123456789abcdef"


def overlay(identity: str, title: str, answer: str, based_on: list[tuple[str, str]], lang: str = "en") -> dict[str, str]:
    """Return an overlay and its record."""
    sources = [{"path": path, "blob": blob} for path, blob in based_on]
    front = {
        "proposal": identity,
        "action_type": "verified_answer",
        "title": title,
        "questions": [title],
        "lang": lang,
        "based_on": sources,
    }
    record = {
        "id": identity, "title": title, "action_type": "verified_answer", "target_layer": "help", "root": ".",
        "priority": "low", "frequency": 3, "evidence": [], "based_on": sources, "schema": 1,
    }  # fmt: skip
    text = f"---\n{json.dumps(front, ensure_ascii=False)}\n---\n\n# {title}\n\n{answer}\n"
    return {f"_forged/x-{identity}.md": text, f"_forged/proposals/{identity}.json": json.dumps(record)}


def propose(kb: Workbench, identity: str, *args: object, **more: str) -> str:
    """Put a proposal on its branch; return the overlay's path."""
    files = overlay(identity, *args, **more)  # type: ignore[arg-type]
    kb.git("checkout", "-q", "-b", f"mfgit/{identity}")
    kb.write(files)
    kb.commit("propose")
    kb.git("checkout", "-q", "main")
    return next(iter(files))


def blob(kb: Workbench, path: str) -> tuple[str, str]:
    return path, kb.git("rev-parse", f"HEAD:{path}")


def paths(kb: Workbench, question: str, **options: Unpack[Asking]) -> list[str]:
    return [hit.passage.path for hit in Project.open(kb.path).search(question, **options).hits]
