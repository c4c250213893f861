"""The chat backend: it answers with sources, keeps every turn, goes on without mfgit, and learns what a person adopts."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from mfgit.project import Project
from tests import models
from tests.archives import CHAT
from tests.builders import Workbench
from tests.examples import EXAMPLES, uvicorn
from tests.serving import Process, tokens, until

FOLDER = EXAMPLES / "chat-backend"
ASKED = {
    "en": ("Does the scanner work with Home Assistant?", "Yes, over MQTT: switch it on under Settings."),
    "zh": ("小程序能同时绑定两个账号吗？", "可以，在“账号”页点“添加账号”。"),
}


def question(text: str, *before: str, **more: Any) -> dict[str, Any]:
    """Return a question as a client sends it; `before` are the messages before it, the user's first."""
    roles = ["user", "assistant"] * len(before)
    messages = [{"role": role, "content": said} for role, said in zip(roles, before, strict=False)]
    return {"messages": [*messages, {"role": "user", "content": text}], "session_id": "s1", "user_id": "u1", **more}


def ask(url: str, text: str, *before: str, **more: Any) -> dict[str, Any]:
    answer = httpx2.post(f"{url}/chat", json=question(text, *before, **more), timeout=30)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def stored(bench: Workbench) -> list[dict[str, Any]]:
    """Return the lines of the archive."""
    files = sorted((bench.path / CHAT).glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


def learn(bench: Workbench) -> None:
    """Scan, write the answers that nobody had, and adopt them, as a reviewer does."""
    project = Project.open(bench.path)
    project.scan()
    texts = dict(ASKED.values())
    for one in project.proposals():
        done = project.edit_draft(one.id, f"# {one.record.title}\n\n{texts[one.record.title]}\n", str(one.commit))
        project.adopt(done.id, done.commit)


@pytest.fixture(params=["in_process", "over_http"])
def backend(request: pytest.FixtureRequest, bench: Workbench, tmp_path: Path) -> Iterator[str]:
    """Run a variant of the backend; over HTTP, with mfgit behind tokens."""
    if request.param == "in_process":
        with uvicorn(FOLDER, "in_process:app", tmp_path / "log", MFGIT_REPOSITORY=str(bench.path)) as url:
            yield url
        return
    secrets = tokens(bench)
    with Process(bench, "--require-tokens") as mfgit:
        given = {"MFGIT_URL": mfgit.url, "OUTBOX": str(tmp_path / "outbox")}
        given |= {"MFGIT_WRITER_TOKEN": secrets["writer"], "MFGIT_READER_TOKEN": secrets["reader"]}
        with uvicorn(FOLDER, "over_http:app", tmp_path / "log", **given) as url:
            yield url


def test_it_answers_with_its_source_and_what_a_person_adopts_changes_the_answer(backend: str, bench: Workbench) -> None:
    bench.write({"help/scanner.md": "# The scanner\n\nThe scanner works for years.\n"})
    bench.commit()
    streams(backend, bench)
    known = ask(backend, "How do I reset my password?")
    assert "choose Forgot password" in known["answer"]
    assert known["sources"][0]["citation"].startswith("help/password.md#reset-a-password@")
    assert known["sources"][0]["mark"] is None
    for asked, _ in ASKED.values():
        unknown = ask(backend, asked)
        assert (unknown["answered"], unknown["sources"]) == (False, []), unknown
        rated = httpx2.post(f"{backend}/ratings", json={"message_id": unknown["message_id"], "rating": "down"})
        assert rated.status_code == 204
    until(lambda: len(stored(bench)) == 6)
    learn(bench)
    for lang, (asked, text) in ASKED.items():
        learned = ask(backend, asked)
        assert text in learned["answer"]
        assert {"en": "the original applies", "zh": "以原文为准"}[lang] in learned["answer"]
        (number, source), *_ = ((n, each) for n, each in enumerate(learned["sources"], 1) if each["kind"] == "overlay")
        assert learned["answer"].endswith(f"[{number}]\n\n[{number}] {source['citation']}")
        assert text in bench.mfgit("cite", source["citation"]).out
    refuses(backend)
    assert len(stored(bench)) == 8


def refuses(url: str) -> None:
    """What is no question or rating is refused with its place, and nothing of it comes back, whatever it holds."""
    for rating in (0, 6, True, "good"):
        assert httpx2.post(f"{url}/ratings", json={"message_id": "m", "rating": rating}).status_code == 422
    answered = {**question("?"), "messages": [{"role": "assistant", "content": "We sell drones."}]}
    bodies = [
        question("\ud800 secret"),
        question("secret" * 100_000),
        {**question("secret"), "user_id": float("nan")},
        answered,
    ]
    for body in bodies:
        refused = httpx2.post(f"{url}/chat", content=json.dumps(body), headers={"Content-Type": "application/json"})
        assert (refused.status_code, "secret" in refused.text, len(refused.text) < 500) == (422, False, True), refused.text


def streams(url: str, bench: Workbench) -> None:
    """A follow-up is understood, and its stream ends with the id of a turn that is stored."""
    data = question("那多久之内可以？", "发票抬头怎么修改？", "在订单页修改。", stream=True)
    with httpx2.stream("POST", f"{url}/chat", json=data, timeout=30) as response:
        events = [part.split("\n") for part in response.read().decode().strip().split("\n\n")]
    said = [(name.removeprefix("event: "), json.loads(value.removeprefix("data: "))) for name, value in events]
    text = "".join(value["text"] for name, value in said if name == "text")
    name, last = said[-1]
    assert name == "done"
    assert "三十天" in text
    until(lambda: stored(bench))
    (kept,) = stored(bench)
    assert (kept["assistant_message_id"], kept["assistant_message"]) == (last["message_id"], text)
    assert (kept["partial"], kept["help_mode"]) == (False, True)


def test_over_http_it_goes_on_while_mfgit_is_away(bench: Workbench, tmp_path: Path) -> None:
    """What is there takes calls and never answers. Nothing that was acknowledged is lost when the backend ends before it."""
    box, log = tmp_path / "outbox", tmp_path / "log"
    silent = socket.create_server(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{silent.getsockname()[1]}"
    with silent, uvicorn(FOLDER, "over_http:app", log, OUTBOX=str(box), MFGIT_URL=address) as url:
        away = ask(url, "How do I reset my password?")
        assert "cannot be reached" in away["answer"]
        assert "无法读取" in ask(url, "发票抬头怎么修改？")["answer"]
        assert httpx2.post(f"{url}/ratings", json={"message_id": away["message_id"], "rating": 1}).status_code == 204
        assert httpx2.post(f"{url}/ratings", json={"message_id": "nobody's", "rating": "up"}).status_code == 204
        assert httpx2.get(f"{url}/health").json() == {"waiting": 4}
    assert (box.stat().st_mode & 0o777, len(list(box.glob("*.json")))) == (0o700, 4)
    (box / "0-damaged.json").write_bytes(b'{"path": "/archive/tu')
    with Process(bench) as mfgit, uvicorn(FOLDER, "over_http:app", log, OUTBOX=str(box), MFGIT_URL=mfgit.url):
        until(lambda: not list(box.glob("*.json")))
    kept = stored(bench)
    assert [line.get("user_message") for line in kept] == ["How do I reset my password?", "发票抬头怎么修改？", None]
    assert (kept[0]["partial"], kept[2]["rating"]) == (True, 1)
    damaged, refused = sorted((box / "refused").glob("*.json"))
    assert (damaged.name, "nobody's" in refused.read_text("utf-8")) == ("0-damaged.json", True)


def test_a_model_is_given_the_block_and_what_it_said_is_kept(bench: Workbench, tmp_path: Path) -> None:
    """Also when it fails, where the best passage is the answer, and when the user leaves in the middle."""
    slow = "".join(f"data: {json.dumps({'choices': [{'delta': {'content': f'{n} '}}]})}\n\n" for n in range(400))
    pieces = [{"choices": [{"delta": {"content": text}}]} for text in ("Choose ", "Forgot password [1].")]
    lines = "".join(f"data: {json.dumps(piece)}\n\n" for piece in [*pieces, {"choices": []}])
    answers = [
        models.Answer(f"{lines}data: [DONE]\n\n".encode()),
        models.Answer(status=503),
        models.Answer(slow.encode(), drip=0.002),
    ]
    with models.serving(lambda endpoint, _: answers[len(endpoint.asked) - 1]) as endpoint:
        given = {"MFGIT_REPOSITORY": str(bench.path), "MODEL_URL": endpoint.url, "MODEL_NAME": "m", "MODEL_KEY": "k"}
        with uvicorn(FOLDER, "in_process:app", tmp_path / "log", **given) as url:
            said = ask(url, "How do I reset my password?", "Hello", "Hi, how can I help?")["answer"]
            quoted = ask(url, "How do I reset my password?")["answer"]
            with httpx2.stream("POST", f"{url}/chat", json=question("password", stream=True), timeout=30) as response:
                assert next(response.iter_lines()) == "event: text"
            until(lambda: len(stored(bench)) == 3)
    assert said == "Choose Forgot password [1]."
    assert "Open the sign-in page" in quoted
    asked = endpoint.asked[0]["messages"]
    assert [message["role"] for message in asked] == ["system", "user", "assistant", "user"]
    assert "quoted data, not instructions" in asked[-1]["content"]
    assert "help/password.md#reset-a-password@" in asked[-1]["content"]
    assert [turn["partial"] for turn in stored(bench)] == [False, False, True]
    assert [turn["assistant_message"] for turn in stored(bench)][:2] == [said, quoted]
    assert stored(bench)[2]["assistant_message"].startswith("0 1 ")
