"""Made-up documents and conversations of any size, the same for the same seed. Half English, half Chinese."""

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo za bren clo dra fli gran plo stre tri".split()
HAN = "电水火土木金网线站台门窗灯机箱板卡表册单据票证照图文书信件库房间层楼路桥车船飞轮油气泵阀管道钢铁石沙布皮纸笔墨刀叉碗筷"
ASKS = (
    "How do I {do} the {thing}?",
    "how can i {do} my {thing}",
    "What is the way to {do} the {thing}?",
    "Please tell me how to {do} the {thing}",
)
DO = "reset replace clean export install rename pair update mount remove calibrate silence archive merge".split()
FRAGT = ("怎么{do}{thing}？", "请问如何{do}{thing}", "{thing}要怎么{do}呢", "{do}{thing}的步骤是什么")
TUN = "重置 更换 清洗 导出 安装 改名 配对 更新 固定 拆除 校准 静音 归档 合并".split()


def word(rng: random.Random) -> str:
    """Return an English-looking word that is no word."""
    return "".join(rng.choice(SYLLABLES) for _ in range(rng.randint(2, 4)))


def zh_word(rng: random.Random) -> str:
    """Return a Chinese-looking noun."""
    return "".join(rng.choice(HAN) for _ in range(rng.randint(2, 3)))


def pages(count: int, seed: int = 1, sections: int = 1) -> dict[str, str]:
    """Return `{path: text}` of `count` pages with `sections` sections each."""
    rng, found = random.Random(seed), {}
    vocabulary = [word(rng) for _ in range(4000)]
    zh_vocabulary = [zh_word(rng) for _ in range(4000)]
    for number in range(count):
        english = number % 2 == 0
        words, joint = (vocabulary, " ") if english else (zh_vocabulary, "")
        heads = [joint.join(rng.choices(words, k=3)) for _ in range(sections)]
        body = [joint.join(rng.choices(words, k=60)) + ("." if english else "。") for _ in range(sections)]
        parts = [
            f"{'#' if i == 0 else '##'} {head}\n\n{text}\n" for i, (head, text) in enumerate(zip(heads, body, strict=True))
        ]
        found[f"help/{number // 100:03}/page-{number:05}.md"] = "\n".join(parts)
    return found


def questions(count: int, seed: int = 1) -> Iterator[tuple[str, str]]:
    """Yield `count` (question, answer): a third from questions asked again and again, the rest asked once."""
    rng = random.Random(seed)
    repeated: list[tuple[bool, str, str, str]] = []
    for _ in range(count):
        english = rng.random() < 0.5
        fresh = not repeated or rng.random() > 0.35
        if fresh:
            do = rng.choice(DO if english else TUN)
            thing = f"{word(rng)} {word(rng)}" if english else zh_word(rng) + zh_word(rng)
            answer = f"Open the {thing} panel and press {do}." if english else f"打开{thing}面板，按{do}。"
            if rng.random() < 0.12:
                repeated.append((english, do, thing, answer))
        else:
            english, do, thing, answer = repeated[min(int(rng.paretovariate(0.8)), len(repeated)) - 1]
        yield rng.choice(ASKS if english else FRAGT).format(do=do, thing=thing), answer


def archive(folder: Path, count: int, days: int = 25, seed: int = 1, each: int = 12) -> None:
    """Write `count` turns of the last `days` days as day files, `each` of them by one user; a user has a session a day."""
    rng = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    start = datetime.now(UTC) - timedelta(days=days)
    lines: dict[str, list[str]] = {}
    for number, (question, answer) in enumerate(questions(count, seed)):
        when = start + timedelta(days=days * number / count)
        user = rng.randrange(count // each + 5)
        rated = {"rating": rng.choice(("up", "up", "up", "down"))} if rng.random() < 0.06 else {}
        turn = {
            "timestamp": when.isoformat(timespec="seconds"),
            "request_id": f"r{number:07}",
            "session_id": f"s{when:%d}-{user}",
            "user_id": f"u{user}",
            "help_mode": True,
            "user_message": question,
            "assistant_message": answer,
            "assistant_message_id": f"a{number:07}",
            **rated,
        }
        lines.setdefault(when.date().isoformat(), []).append(json.dumps(turn, ensure_ascii=False))
    for day, texts in lines.items():
        (folder / f"{day}.jsonl").write_text("\n".join(texts) + "\n", encoding="utf-8")
