"""Who may do what over HTTP: every route for every role, sessions, forged requests, names and limits."""

import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from mfgit.errors import BadInput
from mfgit.server.service import Settings
from tests.archives import turn
from tests.builders import Workbench
from tests.serving import Served, serving, tokens, until

ID = "0123456789abcdef"
COMMIT = "f" * 40
REQUESTS: dict[tuple[str, str], tuple[str, Any, str]] = {
    ("POST", "/archive/turns"): ("/archive/turns", turn(1), "writer"),
    ("POST", "/archive/ratings"): ("/archive/ratings", {"assistant_message_id": "m1", "rating": "down"}, "writer"),
    ("GET", "/archive/search"): ("/archive/search?q=invoice", None, "reviewer"),
    ("GET", "/archive/sessions/{session_id:path}"): ("/archive/sessions/s1", None, "reviewer"),
    ("GET", "/search"): ("/search?q=password", None, "reader"),
    ("GET", "/context"): ("/context?q=password", None, "reader"),
    ("POST", "/admin/memoryforge/scan"): ("/admin/memoryforge/scan", {"dry_run": True}, "reviewer"),
    ("GET", "/admin/memoryforge/scan"): ("/admin/memoryforge/scan", None, "reader"),
    ("GET", "/admin/memoryforge/proposals"): ("/admin/memoryforge/proposals", None, "reader"),
    ("GET", "/admin/memoryforge/proposals/{identity}"): (f"/admin/memoryforge/proposals/{ID}", None, "reader"),
    ("GET", "/admin/memoryforge/stats"): ("/admin/memoryforge/stats", None, "reader"),
    ("GET", "/admin/memoryforge/proposals/{identity}/preview"): (f"/admin/memoryforge/proposals/{ID}/preview", None, "reader"),
    ("POST", "/admin/memoryforge/proposals/{identity}/adopt"): (
        f"/admin/memoryforge/proposals/{ID}/adopt", {"reviewed": COMMIT}, "reviewer",
    ),
    ("POST", "/admin/memoryforge/proposals/{identity}/reject"): (
        f"/admin/memoryforge/proposals/{ID}/reject", {"reason": "no"}, "reviewer",
    ),
    ("POST", "/admin/memoryforge/proposals/{identity}/restore"): (
        f"/admin/memoryforge/proposals/{ID}/restore", None, "reviewer",
    ),
    ("POST", "/admin/memoryforge/proposals/{identity}/undo"): (f"/admin/memoryforge/proposals/{ID}/undo", None, "reviewer"),
    ("PUT", "/admin/memoryforge/proposals/{identity}/draft"): (
        f"/admin/memoryforge/proposals/{ID}/draft", {"text": "x", "reviewed": COMMIT}, "reviewer",
    ),
    ("GET", "/session"): ("/session", None, "any"),
    ("DELETE", "/session"): ("/session", None, "any"),
    ("GET", "/health"): ("/health", None, "public"),
    ("POST", "/session"): ("/session", {"token": "wrong"}, "public"),
}  # fmt: skip
"""(method, route) -> a request of it, and who may make it."""
MAY = {
    "writer": {"writer", "any", "public"},
    "reader": {"reader", "any", "public"},
    "reviewer": {"reader", "reviewer", "any", "public"},
    "": {"public"},
}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, dict[str, str]]]:
    bench = Workbench.make(tmp_path_factory.mktemp("guarded") / "kb")
    secrets = tokens(bench)
    with serving(bench.path, require_tokens=True, rate=0) as served:
        yield served, secrets


def ask(client: httpx2.Client, method: str, path: str, body: Any = None, **headers: str) -> httpx2.Response:
    return client.request(method, path, json=body, headers=headers)


def api_routes(served: Served) -> set[tuple[str, str]]:
    found = set()
    for path, operations in served.app.openapi()["paths"].items():
        found |= {(method.upper(), path) for method in operations}
    return found


def plain(route: str) -> str:
    return re.sub(r":path}", "}", route)


def test_the_matrix_holds_every_route(guarded: tuple[Served, dict[str, str]]) -> None:
    wanted = {(method, plain(route)) for method, route in REQUESTS}
    assert wanted == {(method, plain(route)) for method, route in api_routes(guarded[0])}
    routes = [route for route in guarded[0].app.state.routes if route.include_in_schema]  # pages: tests/test_page.py
    assert wanted == {(method, plain(route.path)) for route in routes for method in route.methods}


@pytest.mark.parametrize("role", MAY)
@pytest.mark.parametrize("request_of", REQUESTS, ids=" ".join)
def test_each_role_may_what_it_may(guarded: tuple[Served, dict[str, str]], request_of: tuple[str, str], role: str) -> None:
    served, secrets = guarded
    path, body, who = REQUESTS[request_of]
    with served.client(secrets.get(role, "")) as client:
        answer = ask(client, request_of[0], path, body)
    if who in MAY[role]:
        assert answer.status_code in ((401,) if request_of == ("POST", "/session") else (200, 202, 204, 404, 409)), answer.text
    else:
        assert answer.status_code == (403 if role else 401)
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["detail"].endswith(".")


def test_wrong_tokens_are_refused_and_soon_have_to_wait(bench: Workbench) -> None:
    right = tokens(bench)["reader"]
    with serving(bench.path, require_tokens=True) as served, served.client("mfgit_" + "x" * 43) as client:
        seen = [client.get("/search?q=x") for _ in range(12)]
        with served.client(right) as other:
            assert other.get("/search?q=x").status_code == 200
    assert [each.status_code for each in seen] == [401] * 10 + [429] * 2
    assert int(seen[-1].headers["retry-after"]) >= 1


def test_a_revoked_token_and_its_session_end_at_once(bench: Workbench) -> None:
    secret = tokens(bench)["reviewer"]
    with serving(bench.path, require_tokens=True) as served, served.client() as client:
        assert client.post("/session", json={"token": secret}).status_code == 200
        assert client.get("/session").json()["name"] == "reviewer"
        assert bench.mfgit("serve", "token", "revoke", "reviewer").code == 0
        assert client.get("/session").status_code == 401
        assert httpx2.get(f"{served.url}/session", headers={"Authorization": f"Bearer {secret}"}).status_code == 401


def test_a_session_changes_things_only_with_its_secret(guarded: tuple[Served, dict[str, str]]) -> None:
    served, secrets = guarded
    with served.client() as client:
        begun = client.post("/session", json={"token": secrets["reviewer"]})
        cookie = begun.headers["set-cookie"].lower()
        assert all(word in cookie for word in ("httponly", "samesite=strict", "path=/"))
        assert "secure" not in cookie
        path = f"/admin/memoryforge/proposals/{ID}/restore"
        assert client.get("/admin/memoryforge/stats").status_code == 200
        assert client.post(path).status_code == 403
        assert client.post(path, headers={"X-CSRF-Token": "wrong"}).status_code == 403
        assert client.post(path, headers=[(b"X-CSRF-Token", "错".encode())]).status_code == 403
        csrf = client.get("/session").json()["csrf"]
        assert csrf == begun.json()["csrf"]
        assert client.post(path, headers={"X-CSRF-Token": csrf}).status_code == 404
        assert client.delete("/session", headers={"X-CSRF-Token": csrf}).status_code == 204
        assert client.get("/session").status_code == 401


def test_behind_https_the_cookie_is_bound_to_the_host(bench: Workbench) -> None:
    secret = tokens(bench)["reader"]
    with serving(bench.path, public_url="https://kb.example.com") as served, served.client(Host="kb.example.com") as client:
        begun = client.post("/session", json={"token": secret}, headers={"Origin": "https://kb.example.com"})
        assert begun.headers["set-cookie"].startswith("__Host-mfgit=")
        assert "secure" in begun.headers["set-cookie"].lower()
        assert "strict-transport-security" in begun.headers
        assert client.get("/search?q=x").status_code == 401


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:{port}", 200),
        ("localhost:{port}", 200),
        ("LOCALHOST", 200),
        ("[::1]:{port}", 200),
        ("evil.example.com", 421),
        ("127.0.0.1.evil.example.com:{port}", 421),
        ("localhost@evil.example.com", 421),
        ("evil.example.com:localhost", 421),
        ("[::1", 421),
        ("", 421),
    ],
)
def test_only_names_of_this_machine_are_answered(opened: Served, host: str, status: int) -> None:
    with opened.client(Host=host.format(port=opened.port)) as client:
        answer = client.get("/health")
    assert answer.status_code == status
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(Workbench.make(tmp_path_factory.mktemp("opened") / "kb").path) as served:
        yield served


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 202),
        ({"Origin": "http://127.0.0.1:{port}"}, 202),
        ({"Sec-Fetch-Site": "same-origin"}, 202),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": "https://evil.example.com"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
    ],
    ids=str,
)
def test_pages_of_other_sites_change_nothing(opened: Served, headers: dict[str, str], status: int) -> None:
    until(lambda: httpx2.get(f"{opened.url}/admin/memoryforge/scan").json()["state"] != "running")
    given = {name: value.format(port=opened.port) for name, value in headers.items()}
    with opened.client(**given) as client:
        assert client.post("/admin/memoryforge/scan", json={"dry_run": True}).status_code == status


def test_a_form_of_another_site_cannot_pretend_to_be_json(opened: Served) -> None:
    with opened.client(**{"Content-Type": "text/plain"}) as client:
        assert client.post("/admin/memoryforge/scan", content=b"{}").status_code in (415, 422)
        assert client.post("/archive/turns", content=b"{}").status_code == 415


def raw(served: Served, data: bytes) -> bytes:
    """Send bytes and return what comes back."""
    with socket.create_connection(("127.0.0.1", served.port), 10) as link:
        link.sendall(data)
        link.settimeout(10)
        got = b""
        while part := link.recv(65536):
            got += part
            if b"\r\n\r\n" in got:
                break
    return got


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example.com\r\n\r\n", b"400"),
        (b"GET /health HTTP/1.1\r\n\r\n", b"400"),
        (b"POST /archive/turns HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\n", b"413"),
        (b"POST /session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1048577\r\n\r\n", b"413"),
        (
            b"POST /archive/turns HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
            + (b"100000\r\n" + b"x" * 0x100000 + b"\r\n") * 9,
            b"413",
        ),
    ],
    ids=["two hosts", "no host", "long turns", "long body", "long chunks"],
)
def test_what_is_no_good_request_ends_early(opened: Served, data: bytes, status: bytes) -> None:
    try:
        assert raw(opened, data).split(b" ")[1] == status
    except (ConnectionResetError, BrokenPipeError):  # it was refused while we still wrote
        assert status == b"413"


def test_a_caller_that_asks_too_often_has_to_wait(bench: Workbench) -> None:
    secrets = tokens(bench)
    with serving(bench.path, require_tokens=True, rate=1) as served:
        with served.client(secrets["reader"]) as client:
            seen = [client.get("/session").status_code for _ in range(5)]
        with served.client(secrets["writer"]) as other:
            assert other.get("/session").status_code == 200
        assert [httpx2.get(f"{served.url}/health").status_code for _ in range(4)][-1] == 429
    assert seen[:2] == [200, 200]
    assert 429 in seen


def test_another_address_needs_tokens(bench: Workbench) -> None:
    ran = bench.mfgit("serve", "--host", "0.0.0.0")
    assert ran.code == 2
    assert "needs tokens" in ran.err
    assert bench.mfgit("serve", "--require-tokens").code == 2
    assert bench.mfgit("serve", "--public-url", "https://kb.example.com").code == 2


@pytest.mark.parametrize("url", ["kb.example.com", "ftp://x", "https://", "https://x/path", "https://x?q", "https://[x"])
def test_a_public_url_that_is_none_is_named(url: str) -> None:
    with pytest.raises(BadInput, match="is not the address"):
        Settings(public_url=url).check()


def test_health_tells_strangers_only_that_it_is_well(guarded: tuple[Served, dict[str, str]]) -> None:
    served, secrets = guarded
    assert httpx2.get(f"{served.url}/health").json()["automatic"] is None
    with served.client(secrets["reader"]) as client:
        assert client.get("/health").json()["automatic"]["auto_scan"]["enabled"] is False


def test_secrets_stay_out_of_files_and_log(tmp_path: Path, bench: Workbench, caplog: pytest.LogCaptureFixture) -> None:
    secret = tokens(bench)["reviewer"]
    with caplog.at_level("INFO"), serving(bench.path, require_tokens=True) as served, served.client(secret) as client:
        client.post("/session", json={"token": secret})
        client.get("/archive/search", params={"q": "dear-diary-words"})
        client.get("/dear-diary-words/" + secret)
        client.post("/archive/turns", content=b'{"user_message": "dear-diary-words"}')
    held = [path.read_text(errors="replace") for path in (bench.path / ".git/mfgit").rglob("*") if path.is_file()]
    logged = "".join(record.getMessage() for record in caplog.records if record.name == "mfgit.serve")
    assert "reviewer GET /archive/search 200" in logged
    assert secret not in "".join(held) + logged
    assert "dear-diary-words" not in "".join(held) + logged
