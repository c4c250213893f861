"""Templates, the language of a reader, and the headers of a page; Jinja2 is used here only, and escapes everything."""

import functools
import hashlib
from collections.abc import Mapping
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from fastapi import Request, Response
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from mfgit import printing
from mfgit.reasons.forms import Steps, in_chinese
from mfgit.server import system
from mfgit.server.access import Principal, cookie_name
from mfgit.server.page import words
from mfgit.server.service import service

if TYPE_CHECKING:
    from mfgit.server.visits import Visit

HOME = "/memoryforge"
LANGUAGE_COOKIE = "mfgit-lang"
A_YEAR = 365 * 24 * 3600
ASSETS = {"page.css": "text/css", "page.js": "text/javascript", "icon.svg": "image/svg+xml", "select.svg": "image/svg+xml"}
POLICY = "; ".join(
    (
        "default-src 'none'", "style-src 'self'", "script-src 'self'", "img-src 'self'", "connect-src 'self'",
        "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    )
)  # fmt: skip


@functools.cache
def templates() -> Environment:
    """Return the templates: every value is escaped, and a name that is not there is an error."""
    found = Environment(
        loader=PackageLoader("mfgit.server.page"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    found.filters["exact"] = escape
    found.globals.update(home=HOME, asset=address_of, tags=words.TAGS, languages=words.LANGUAGES)
    return found


def shown(value: Any) -> Any:
    """Return a value as it is safe to read: what could turn a text around or hide in it is shown; `exact` leaves it alone."""
    return printing.clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@functools.cache
def asset(name: str) -> bytes:
    """Return a file that pages load; raises `KeyError` for a name that is none."""
    return (files("mfgit.server.page") / "static" / {name: name for name in ASSETS}[name]).read_bytes()


@functools.cache
def address_of(name: str) -> str:
    """Return the address of a file that pages load, which changes with its content."""
    return f"{HOME}/static/{name}?v={hashlib.sha256(asset(name)).hexdigest()[:12]}"


def language(request: Request) -> str:
    """Return the language of a reader: what was chosen now or before, else what the browser asks for."""
    for chosen in (request.query_params.get("lang", ""), request.cookies.get(LANGUAGE_COOKIE, "")):
        if chosen in words.LANGUAGES:
            return chosen
    return words.preferred(request.headers.get("accept-language", ""))


class Frame:
    """What every template may use: words, addresses, who asks, and the secret of a form."""

    def __init__(self, request: Request, who: Principal | None) -> None:
        self.request, self.who = request, who
        self.lang = language(request)
        self.cookies = Response()
        self.steps = Steps()
        self.visit: Visit | None = who.visit if who else None

    def word(self, key: str, **values: object) -> str:
        """Return a text in the reader's language."""
        return words.word(key, self.lang, **values)

    def reason(self, text: str, *groups: str) -> Markup:
        """Return a sentence of some groups in the reader's language; what no form knows stays, marked as English."""
        said = text if self.lang == "en" else in_chinese(text, *groups, steps=self.steps)
        return Markup("<span{}>{}</span>").format(Markup(' lang="en"') if said is None else "", shown(said or text))

    def csrf(self) -> str:
        """Return the secret that a form carries; begins a session where everybody may come in and there is none."""
        if self.visit is None:
            self.visit = system.begin(service(self.request), self.cookies, "")
        return self.visit.csrf

    def here(self, **changes: object) -> str:
        """Return the address of this page with other parameters; None takes one out."""
        path = self.request.url.path
        if self.request.method != "GET":  # what was refused is said on the page of its proposal
            return linked(quote(path.rpartition("/")[0] if "/proposals/" in path else path), changes)
        return linked(quote(path), {**self.request.query_params, "done": None, **changes})

    @property
    def guest(self) -> bool:
        """Whether this reader signed in and so can sign out."""
        return bool(self.visit and self.visit.name)


def linked(path: str, values: Mapping[str, object]) -> str:
    """Return an address with parameters, without those that are empty."""
    said = urlencode({name: str(value) for name, value in values.items() if value not in (None, "")})
    return f"{path}?{said}" if said else path


def page(
    request: Request, who: Principal | None, template: str, values: Mapping[str, Any] | None = None, status: int = 200
) -> HTMLResponse:
    """Return a page made of a template."""
    frame = Frame(request, who)
    text = templates().get_template(template).render(frame=frame, t=frame.word, who=who, **(values or {}))
    answer = HTMLResponse(text.encode("utf-8", "replace"), status)
    answer.headers["Content-Security-Policy"] = POLICY
    answer.headers["Content-Language"] = words.TAGS[frame.lang]
    answer.headers["Vary"] = "Accept-Language, Cookie"
    if request.query_params.get("lang") == frame.lang:
        secure = service(request).settings.secure
        answer.set_cookie(LANGUAGE_COOKIE, frame.lang, max_age=A_YEAR, secure=secure, httponly=True, samesite="lax")
    for name, value in frame.cookies.raw_headers:
        if name == b"set-cookie":
            answer.raw_headers.append((name, value))
    return answer


def forget(request: Request, answer: Response) -> None:
    """Take the session's cookie away."""
    secure = service(request).settings.secure
    answer.delete_cookie(cookie_name(service(request)), secure=secure, httponly=True, samesite="strict")
