"""Which wordings undoing takes out again: those that this proposal brought, and nobody else stands for."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from mfgit.model import Alias, Record


def brought(record: Record, before: Collection[tuple[str, str]], known: Iterable[Record]) -> tuple[Alias, ...]:
    """Return the aliases of a record that the team did not have before it was adopted.

    `before` are the (page, alias) pairs of that time, paths from the top; those among them which another proposal lists came
    from there, not from the team.
    """
    proposed = {(alias.path, alias.alias) for other in known if other.id != record.id for alias in other.aliases}
    return tuple(a for a in record.aliases if (a.path, a.alias) not in before or (a.path, a.alias) in proposed)


def without(
    lists: Mapping[str, Sequence[str]], record: Record, taken: Iterable[Alias], adopted: Iterable[Record]
) -> dict[str, list[str]]:
    """Return the pages whose lists change, with their full new lists; `lists` are by path from the top.

    An alias that another adopted proposal lists stays.
    """
    kept = {(alias.path, alias.alias) for other in adopted if other.id != record.id for alias in other.aliases}
    gone = {(alias.path, alias.alias) for alias in taken} - kept
    left = {page: [said for said in aliases if (page, said) not in gone] for page, aliases in lists.items()}
    return {page: said for page, said in left.items() if len(said) < len(lists[page])}
