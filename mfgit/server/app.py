"""The application: routes, errors, the OpenAPI document, and the shield around it all."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio.to_thread
from fastapi import Depends, FastAPI
from fastapi.openapi.utils import get_openapi

from mfgit import __version__
from mfgit.server import archive, knowledge, problems, proposals, query, system
from mfgit.server.page import routes as page
from mfgit.server.service import Service, Settings
from mfgit.server.shield import Shield

THREADS = 16
"""Requests that are worked on at the same time; more wait."""
WRITERS = 8
"""Appends that are worked on besides: a queue of searches does not hold them up."""
ABOUT = """Conversations in, passages out, proposals reviewed. Errors are problem documents (RFC 9457). With tokens, send
`Authorization: Bearer TOKEN`; a browser session sends its cookie, and `X-CSRF-Token` with every change."""


def make(folder: str | os.PathLike[str], settings: Settings) -> FastAPI:
    """Return the application for the repository that holds a folder. Raises `BadInput` where there is none."""
    service = Service(folder, settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
        app.state.writing = anyio.CapacityLimiter(WRITERS)
        service.start()
        try:
            yield
        finally:
            await anyio.to_thread.run_sync(service.stop)

    app = FastAPI(title="mfgit", version=__version__, description=ABOUT, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.service = service
    problems.install(app)
    documented = [part.router for part in (archive, knowledge, proposals, system)]
    for router in documented:
        app.include_router(router, dependencies=[Depends(query.known)])
    for router in page.routers:
        app.include_router(router)
    app.state.routes = [route for router in (*documented, *page.routers) for route in router.routes]
    app.add_middleware(Shield, settings=settings)
    app.openapi = lambda: described(app)  # type: ignore[method-assign] # the framework's own way to change it
    return app


def described(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document: what the framework makes of the code, with our errors in the place of its own."""
    if app.openapi_schema is None:
        made = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        parts = made.setdefault("components", {})
        shapes = parts.setdefault("schemas", {})
        for name in ("HTTPValidationError", "ValidationError"):
            shapes.pop(name, None)
        shapes["Problem"] = problems.Problem.model_json_schema()
        parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        made["security"] = [{"token": []}, {}]
        failed = {"description": "A problem", "content": {problems.MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
        for operations in made["paths"].values():
            for operation in operations.values():
                operation["responses"].pop("422", None)
                operation["responses"]["default"] = failed
        app.openapi_schema = made
    return app.openapi_schema
