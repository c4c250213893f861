"""One frozen `Config`: defaults < `mfgit.toml` < environment < flags.

Standard library only and free of `dataclasses`, since every hook starts through here. The guard parses the file from the
target's tip with `parse`; the other commands use `load`, which reads the checkout's file and the environment.
"""

import os
from collections.abc import Mapping
from typing import Any, TypeVar

from mfgit.errors import BadInput
from mfgit.sections import (
    AllowEntry,
    ArchiveConfig,
    Config,
    GuardConfig,
    IndexConfig,
    LlmConfig,
    PublishConfig,
    RedactConfig,
    RetentionConfig,
    RootPattern,
    RuleEntry,
    ScanConfig,
    ServeConfig,
    VectorConfig,
)

FILE_NAME = "mfgit.toml"
CHAT_ARCHIVE_VARIABLE = "CHAT_ARCHIVE_DIR"
VECTOR_VARIABLES = {
    "url": "MFGIT_VECTOR_URL",
    "model": "MFGIT_VECTOR_MODEL",
    "key_variable": "MFGIT_VECTOR_KEY_VARIABLE",
    "prefix": "MFGIT_VECTOR_PREFIX",
}
LLM_VARIABLES = {"url": "MFGIT_LLM_URL", "model": "MFGIT_LLM_MODEL", "key_variable": "MFGIT_LLM_KEY_VARIABLE"}
ENGINE_VARIABLE = "MFGIT_INDEX_ENGINE"
ENGINES = ("whoosh", "tantivy", "opensearch")
AUTO_SCAN_VARIABLE = "MEMORYFORGE_AUTO_SCAN_ENABLED"
SWITCHES = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False, "": False}
LAYERS = ("help", "workspace")
SERVICES = ("github", "gitlab", "gitea")

Section = TypeVar(
    "Section",
    ArchiveConfig,
    RetentionConfig,
    ScanConfig,
    GuardConfig,
    VectorConfig,
    LlmConfig,
    ServeConfig,
    PublishConfig,
    IndexConfig,
    RedactConfig,
    AllowEntry,
    RuleEntry,
)


def is_url(place: str) -> bool:
    """Whether a folder of the settings is none of this computer: `s3://…`, `zip://…::…`."""
    return "://" in place or "::" in place


def shown(url: str) -> str:
    """Return a URL without the login in it."""
    before, mark, rest = url.rpartition("://")
    host, slash, path = rest.partition("/")
    return f"{before}{mark}{host.rpartition('@')[2]}{slash}{path}"


def parse(text: str, where: str = FILE_NAME) -> Config:
    """Read the text of a `mfgit.toml`.

    Raises `BadInput` that names `where`, the key, and the nearest known key or the type wanted.
    """
    import tomllib

    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadInput(f"{where} is not valid TOML: {error}.", "Correct that line and run the command again.") from None
    known = ("target", "root", "archive", "retention", "scan", "guard", "vector", "llm", "index", "serve", "publish", "redact")
    check_keys(table, known, where, "")
    return Config(
        target=read_target(table.get("target", "main"), where),
        roots=read_roots(table.get("root", []), where) or Config().roots,
        archive=read_archive(table.get("archive", {}), where),
        retention=section(RetentionConfig, table.get("retention", {}), where, "retention"),
        scan=read_scan(table.get("scan", {}), where),
        guard=section(GuardConfig, table.get("guard", {}), where, "guard"),
        vector=section(VectorConfig, table.get("vector", {}), where, "vector"),
        llm=section(LlmConfig, table.get("llm", {}), where, "llm"),
        indexes=read_index(table.get("index", {}), where),
        serve=section(ServeConfig, table.get("serve", {}), where, "serve"),
        publish=read_publish(table.get("publish", {}), where),
        redact=read_redact(table.get("redact", {}), where),
        configured=True,
    )


def load(text: str | None, environment: Mapping[str, str] | None = None, where: str = FILE_NAME) -> Config:
    """Return the settings of a file's text (None: no file) with the environment over them."""
    config = Config() if text is None else parse(text, where)
    environment = os.environ if environment is None else environment
    if chat := environment.get(CHAT_ARCHIVE_VARIABLE):
        config = config._replace(archive=config.archive._replace(chat=chat))
    if (said := environment.get(AUTO_SCAN_VARIABLE)) is not None:
        config = config._replace(serve=config.serve._replace(auto_scan=switch(said, AUTO_SCAN_VARIABLE)))
    if name := environment.get(ENGINE_VARIABLE):
        config = config._replace(indexes=IndexConfig(known_engine(name, ENGINE_VARIABLE)))
    vector = config.vector._replace(**named_by(environment, VECTOR_VARIABLES))
    return config._replace(vector=vector, llm=config.llm._replace(**named_by(environment, LLM_VARIABLES)))


def named_by(environment: Mapping[str, str], variables: Mapping[str, str]) -> Any:
    """Return the settings that the environment names; a variable that is set to nothing takes a setting back."""
    return {key: environment[name] for key, name in variables.items() if name in environment}


def switch(text: str, name: str) -> bool:
    """Return what an environment variable that switches something says; raises `BadInput` that names it."""
    found = SWITCHES.get(text.strip().lower())
    if found is None:
        raise BadInput(f"{name} is {text!r}.", "Set it to true or false.")
    return found


def read_target(value: Any, where: str) -> str:
    """Return the short name of the branch that adopts land on."""
    if not isinstance(value, str) or not value.strip():
        raise BadInput(f"{where}: target must be the name of a branch, not {value!r}.", 'Write target = "main".')
    return value.removeprefix("refs/heads/")


def read_roots(value: Any, where: str) -> tuple[RootPattern, ...]:
    """Return the `[[root]]` tables, each with a clean relative path."""
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise BadInput(f"{where}: root must be written as [[root]] tables.", 'Write [[root]] and below it path = "help".')
    roots = tuple(read_root(entry, f"root[{number}]", where) for number, entry in enumerate(value, 1))
    paths = [root.path for root in roots]
    if twice := next((path for number, path in enumerate(paths) if path in paths[:number]), None):
        raise BadInput(f"{where}: the root {twice} is there twice.", "Take one of the two [[root]] tables out.")
    return roots


def read_redact(table: Any, where: str) -> RedactConfig:
    """Return what redaction is told; patterns are judged where they are used."""
    plain = {key: value for key, value in table.items() if key not in ("allow", "rules")} if isinstance(table, dict) else table
    found = section(RedactConfig, plain, where, "redact")
    return found._replace(
        allow=tuple(section(AllowEntry, each, where, "redact.allow") for each in tables(table, "allow", where)),
        rules=tuple(section(RuleEntry, each, where, "redact.rules") for each in tables(table, "rules", where)),
    )


def tables(table: Mapping[str, Any], key: str, where: str) -> list[Any]:
    """Return a list of tables."""
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise BadInput(f"{where}: redact.{key} must be a list of tables.", f"Write [[redact.{key}]] tables.")
    return value


def read_archive(table: Any, where: str) -> ArchiveConfig:
    """Return the folders of the archive."""
    found = section(ArchiveConfig, table, where, "archive")
    for name in ("chat", "sessions"):
        if not getattr(found, name).strip():
            raise BadInput(f"{where}: archive.{name} is empty.", f'Write {name} = "{getattr(ArchiveConfig(), name)}".')
    return found


def read_scan(table: Any, where: str) -> ScanConfig:
    """Return the settings of the scan; a share or coverage is at most 1."""
    found = section(ScanConfig, table, where, "scan")
    for name in ScanConfig._fields:
        if ("_share" in name or "_coverage_" in name) and getattr(found, name) > 1:
            raise BadInput(
                f"{where}: scan.{name} is {getattr(found, name):g}; a share is at most 1.",
                f"Write {name} = {getattr(ScanConfig(), name):g}, or another number up to 1.",
            )
    if found.agree_people < 2:
        raise BadInput(f"{where}: scan.agree_people is 1; one alone never publishes.", "Write agree_people = 2, or more.")
    return found


def read_publish(table: Any, where: str) -> PublishConfig:
    """Return the settings of publishing."""
    found = section(PublishConfig, table, where, "publish")
    if found.service not in ("", *SERVICES):
        raise BadInput(
            f"{where}: publish.service is {found.service!r}.", 'Write service = "github", "gitlab" or "gitea" (Forgejo too).'
        )
    if not found.remote.strip() or found.remote.startswith("-"):
        raise BadInput(f"{where}: publish.remote is {found.remote!r}.", 'Write the name of a Git remote: remote = "origin".')
    return found


def read_index(table: Any, where: str) -> IndexConfig:
    """Return the settings of the search indexes."""
    found = section(IndexConfig, table, where, "index")
    return found._replace(engine=known_engine(found.engine, f"{where}: index.engine"))


def known_engine(name: str, where: str) -> str:
    """Return the name of a search engine; raises `BadInput` for one that is none."""
    if name not in ENGINES:
        raise BadInput(f"{where} is {name!r}, which is no search engine of mfgit.", f"Write one of {', '.join(ENGINES)}.")
    return name


def read_root(entry: Mapping[str, Any], name: str, where: str) -> RootPattern:
    """Return one `[[root]]` table."""
    check_keys(entry, RootPattern._fields, where, name)
    path, layer = entry.get("path"), entry.get("layer", "help")
    if not isinstance(path, str) or not path:
        raise BadInput(f"{where}: {name} has no path.", 'Write path = "help", or path = "." for the whole repository.')
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if (
        path.startswith("/")
        or ".." in parts
        or "_forged" in parts
        or parts.count("*") > 1
        or any("*" in part and part != "*" for part in parts)
    ):
        raise BadInput(
            f"{where}: {name}.path is {path!r}, which cannot be a knowledge root.",
            "Give a folder inside the repository; one whole component may be *.",
        )
    if layer not in LAYERS:
        raise BadInput(f"{where}: {name}.layer is {layer!r}.", 'Write layer = "help" or layer = "workspace".')
    return RootPattern("/".join(parts) or ".", layer)


def section(kind: type[Section], table: Any, where: str, name: str) -> Section:
    """Return the settings of one table, each of the type of its default."""
    if not isinstance(table, dict):
        raise BadInput(f"{where}: {name} must be a table.", f"Write [{name}] on a line of its own.")
    check_keys(table, kind._fields, where, name)
    defaults = kind()
    return kind(**{key: like(getattr(defaults, key), value, f"{name}.{key}", where) for key, value in table.items()})


def like(default: Any, value: Any, name: str, where: str) -> Any:
    """Return `value` in the shape of `default`, or say what it should be."""
    if isinstance(default, tuple) and isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    if isinstance(default, float) and isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
        return float(value)
    if (
        type(default) is type(value)
        and not isinstance(value, tuple)
        and (not isinstance(value, int) or isinstance(value, bool) or value > 0)
    ):
        return value
    wanted = {
        "tuple": "a list of strings",
        "float": "a number above 0",
        "int": "a whole number above 0",
        "str": "a string",
        "bool": "true or false",
    }
    raise BadInput(
        f"{where}: {name} is {value!r}; it must be {wanted[type(default).__name__]}.",
        "Correct that line and run the command again.",
    )


def check_keys(table: Mapping[str, Any], known: tuple[str, ...], where: str, name: str) -> None:
    """Raise `BadInput` for the first key that is not known, with the nearest known one."""
    for key in table:
        if key in known:
            continue
        import difflib

        near = difflib.get_close_matches(key, known, 1, 0.5)
        full = f"{name}.{key}" if name else key
        hint = f"Did you mean {near[0]}?" if near else f"Known here: {', '.join(known)}."
        raise BadInput(f"{where}: unknown setting {full}.", f"{hint} If a newer mfgit knows it, upgrade mfgit here.")
