"""Requests to a model's endpoint: bounded, tried again where that helps, and without leaks."""

import json
import logging
import re
import sys
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from mfgit.backends.endpoint import Endpoint, Failed, ask, endpoint, seconds
from mfgit.errors import BadInput
from tests import models
from tests.models import Answer

SECRET = "sk-quite-secret-1234567890"


def opened(url: str, **more: Any) -> Endpoint:
    """Return a checked endpoint with a key and no waits."""
    options: dict[str, Any] = {"timeout": 5.0, "retries": 2, "plain_http": False, **more}
    return endpoint("llm", url, "MFGIT_LLM_KEY", {"MFGIT_LLM_KEY": SECRET}, **options)._replace(sleep=lambda _: None)


# ---- settings


@pytest.mark.parametrize(
    "url",
    [
        "https://models.example.com/v1",
        "http://localhost:11434/v1",
        "http://127.0.0.1:8000",
        "http://[::1]:8000/v1",
        "HTTP://LOCALHOST/v1",
    ],
)
def test_https_and_this_machine_are_asked(url: str) -> None:
    assert opened(url).url == url


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://models.example.com/v1", "plain http to models.example.com"),
        ("http://127.0.0.1.example.com/v1", "plain http to"),
        ("http://localhost.example.com/v1", "plain http to"),
        ("http://10.0.0.7/v1", "plain http to 10.0.0.7"),
        ("ftp://localhost/v1", "not the address of an endpoint"),
        ("file:///etc/passwd", "not the address of an endpoint"),
        ("localhost:11434", "not the address of an endpoint"),
        ("http://[::1/v1", "not the address of an endpoint"),
        ("http://localhost:99999999/v1", "not the address of an endpoint"),
        ("https://example.com/v1?key=x", "not the address of an endpoint"),
        (f"https://me:{SECRET}@example.com/v1", "holds a name or a password"),
    ],
)
def test_other_addresses_are_refused_without_showing_a_secret(url: str, told: str) -> None:
    with pytest.raises(BadInput, match=re.escape(told)) as caught:
        opened(url)
    assert SECRET not in str(caught.value)


def test_plain_http_to_another_machine_has_to_be_allowed() -> None:
    assert opened("http://models.example.com/v1", plain_http=True).host == "models.example.com"


@pytest.mark.parametrize(
    ("name", "environment", "told"),
    [
        ("MFGIT_KEY", {}, "MFGIT_KEY that llm.key_variable names is not set"),
        ("MFGIT_KEY", {"MFGIT_KEY": f"{SECRET}\nX-Header: 1"}, "holds characters that no key has"),
        ("AWS_SECRET_ACCESS_KEY", {"AWS_SECRET_ACCESS_KEY": SECRET}, "not a name that begins with MFGIT_"),
        (SECRET, {}, "not a name that begins with MFGIT_"),
    ],
)
def test_a_key_comes_from_a_variable_meant_for_it(name: str, environment: dict[str, str], told: str) -> None:
    with pytest.raises(BadInput, match=told) as caught:
        endpoint("llm", "https://example.com", name, environment, timeout=1, retries=1, plain_http=False)
    assert SECRET not in str(caught.value)


def test_the_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx2", None)
    monkeypatch.setattr("mfgit.backends.endpoint.find_spec", lambda name: None)
    with pytest.raises(BadInput, match=re.escape('pip install "mfgit[llm]"')):
        opened("https://example.com/v1")


# ---- requests


def test_a_request_carries_the_key_and_text_of_any_language() -> None:
    with models.serving(lambda _, asked: Answer(json.dumps({"echo": asked}).encode())) as running:
        assert ask(opened(running.url), "/x", {"text": "退款 ☂ \ud800"}, 1000) == {"echo": {"text": "退款 ☂ ?"}}
    assert running.paths == ["/v1/x"]
    assert running.headers[0]["Authorization"] == f"Bearer {SECRET}"


def test_without_a_key_no_header_goes_out() -> None:
    with models.serving(lambda *_: Answer()) as running:
        ask(opened(running.url)._replace(key=""), "/x", {}, 1000)
    assert "Authorization" not in running.headers[0]


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_a_busy_endpoint_is_asked_again(status: int) -> None:
    with models.serving(lambda run, _: Answer(b"[1]") if len(run.asked) == 3 else Answer(status=status)) as running:
        assert ask(opened(running.url), "/x", {}, 1000) == [1]
    assert len(running.asked) == 3


@pytest.mark.parametrize(
    ("answer", "tries", "told"),
    [
        (Answer(status=500), 3, "fails (status 500)"),
        (Answer(status=429), 3, "asks to send less (status 429)"),
        (Answer(status=429, headers={"Retry-After": "3600"}), 1, "asks to send less (status 429)"),
        (Answer(status=401), 1, "does not accept the key (status 401)"),
        (Answer(status=404), 1, "has no such address or model (status 404)"),
        (Answer(status=400), 1, "does not accept the request (status 400)"),
        (Answer(status=302, headers={"Location": "http://127.0.0.1:9/"}), 1, "does not accept the request (status 302)"),
        (Answer(b'{"a": [1, 2'), 3, "not whole JSON"),
        (Answer(b""), 3, "not whole JSON"),
        (Answer(b"<html>"), 3, "not whole JSON"),
        (Answer(b"[" * 100_000), 3, "not whole JSON"),
        (Answer(b"\xff\xfe"), 3, "not whole JSON"),
        (Answer(b"[1, 2, 3]", cut=4), 3, "cannot be asked (RemoteProtocolError)"),
        (Answer(b"1" * 2_000_000), 1, "answered with more than 1000000 bytes"),
        (Answer(b"[1]", wait=0.6), 3, "did not answer within 0.2 seconds"),
        (Answer(b"[" + b" " * 100 + b"]", drip=0.05), 3, "did not answer within 0.2 seconds"),
    ],
    ids=lambda value: str(value)[:40] if isinstance(value, str) else None,
)
def test_what_an_endpoint_does_wrong_is_told_in_plain_words(
    answer: Answer, tries: int, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    timeout = 0.2 if answer.wait or answer.drip else 5.0
    with models.serving(lambda *_: answer) as running, pytest.raises(Failed, match=re.escape(told)) as caught:
        ask(opened(running.url, timeout=timeout), "/x", {"text": "private words"}, 1_000_000)
    assert len(running.asked) == tries
    assert SECRET not in str(caught.value) + caplog.text
    assert "private words" not in str(caught.value) + caplog.text


def test_an_endpoint_that_is_away_is_named() -> None:
    with models.serving(lambda *_: Answer()) as running:
        pass
    with pytest.raises(Failed, match=re.escape("cannot be asked (ConnectError)")):
        ask(opened(running.url), "/x", {}, 1000)


def test_the_wait_doubles_and_obeys_retry_after() -> None:
    waits: list[float] = []
    later = [Answer(status=503), Answer(status=503, headers={"Retry-After": "7"}), Answer(status=503), Answer(b"1")]
    with models.serving(lambda run, _: later[len(run.asked) - 1]) as running:
        assert ask(opened(running.url, retries=3)._replace(sleep=waits.append), "/x", {}, 1000) == 1
    assert waits == [0.5, 7.0, 2.0]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [(None, None), ("12", 12.0), (" 0 ", 0.0), ("-1", None), ("soon", None), ("1" * 400, None), ("Mon, 99 Foo", None)],
)
def test_retry_after_in_seconds(text: str | None, wanted: float | None) -> None:
    assert seconds(text) == wanted


def test_retry_after_as_a_date() -> None:
    now = datetime.now(UTC)
    found = seconds(format_datetime(now + timedelta(seconds=600), usegmt=True))
    assert found is not None
    assert 500 < found <= 600
    assert seconds(format_datetime(now - timedelta(seconds=600), usegmt=True)) == 0.0


def test_a_proxy_is_not_asked_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with models.serving(lambda *_: Answer(b"[2]")) as running:
        assert ask(opened(running.url), "/x", {}, 1000) == [2]
