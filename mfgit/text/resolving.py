"""A follow-up in a search: `how do I cancel it?`, `and on iPhone?`, 那怎么取消, asked with what was asked before.

A question that stands by itself is never touched, so a search with a history finds for it what one without finds. Two kinds
lean: what `followups` knows (complaints, `what about …`, 那…呢), and short questions that point back (`it`, `that one`, 它,
这个) or begin in the middle (`with Docker?`, 多久到账). The lists were written down by us.
"""

import functools
import re
from collections.abc import Sequence
from typing import NamedTuple

from mfgit.text import followups, questions
from mfgit.text.tokens import ENGLISH_STOP_WORDS

MOST_TURNS = 4
"""Turns that are looked back at: what was asked longer ago is seldom still meant."""
OWN_EN, PART_EN, CHARACTERS_ZH, PART_ZH = 3, 2, 14, 6
"""A question that points back has at most so many words of its own (English) or characters (Chinese); a part of one, fewer."""

POINTS_EN = re.compile(r"\b(?:it|its|that|this|these|those|they|them|their|theirs|one|ones|there|so|same|else|another)\b")
EMPTY_POINTS_EN = re.compile(
    r"\b(?:is|was|isnt|will|would|could|does|should) it"
    r" (?:possible|ok|okay|safe|legal|allowed|necessary|true|better|mean|matter|make|cost)\b"
    r"|\bit (?:is|was) (?:possible|safe|ok)\b|\b(?:is|are|was|were|will|isnt|arent) there\b|\bthere (?:is|are|was|were)\b"
    r"|\b(?:says?|said|mean|means|know|sure|think|so|now|such|error|message) that\b"
    r"|\bthat (?:i|we|you|the|my|a|an|is|are|has|have|can)\b"
    r"|\bone (?:of|account|user|time|year|month|day|week|or|more)\b|\bthis (?:week|month|year|morning|time)\b"
    r"|\bso (?:much|many|slow|that)\b|\bthe same (?:time|as)\b|\banother \w+"
    r"|\b(?:one|someone|something|anything|anyone|everyone|who|what|where|how|anywhere|somewhere|nothing|nobody) else\b"
)
"""Where these words point at nothing that was said."""
PART_EN_LEAD = re.compile(r"(?:on|in|with|without|for|from|at|via|using|after|before|during|under|per|by|to|if)\b")
ALONE_EN = re.compile(
    r"(?:how (?:long|much|many|often|big|fast|soon|far)|where|when|why|who|which(?: one)?s?|what for|since when|until when)"
    r"(?: (?:not|exactly|though|then|is|does|do|did|will|would|can|should|it|that|this|i|to|take|cost|go|work|happen|please))*"
)

POINTS_ZH = re.compile(
    r"它|(?<![到在])其(?!他|它|实|中|余|次|间)|[这那](?:个|种|些|样|两个|几个|项|款|张|份)(?!月|星期|礼拜|季度|小时|时候|周|学期|年|人)"
    r"|这(?=怎么|如何|要|能|可以|是)|上面|上述|刚才|刚刚说|前面(?:说|提|那)|前者|后者|同样的"
)
LEAD_ZH = re.compile(r"(?:那么?|然后|另外|还有|接着|之后|接下来)(?!里|边|时|年|天|家|儿|会|不)")
PART_ZH_LEAD = re.compile(
    r"(?:一般|大概|大约|通常|最多|最少|最快|最晚|最早|需要|要|得|会|能|可以|在|去|从|到|用|是)*"
    r"(?:多久|多少钱?|多长时间|多大|几天|几次|几个|哪里|哪儿|哪个|哪些|哪种|什么时候|为什么|为何|怎么办|怎么弄|怎么做|怎么操作|谁)"
)


class Resolved(NamedTuple):
    """What to search for: the question, and the earlier turns that it leans on, the nearest first (none: it stands alone)."""

    query: str
    before: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The words to look for, the question's own first."""
        return "\n".join((self.query, *self.before))


def resolve(query: str, history: Sequence[str]) -> Resolved:
    """Return a question with what it leans on; `history` are the user's turns before it, the oldest first.

    Goes back to the last turn that stands by itself. `What about X?` puts X in the place of what the turns between asked
    about, so they are passed over.
    """
    turns = [turn for turn in history if turn.strip()][-MOST_TURNS:]
    if not turns or not leans(query):
        return Resolved(query)
    before: list[str] = []
    for turn in reversed(turns):
        alone = not leans(turn)
        if alone or not replaces(query):
            before.append(turn)
        if alone:
            break
    return Resolved(query, tuple(before or turns[-1:]))


@functools.lru_cache(4096)
def leans(message: str) -> bool:
    """Whether a message leans on what was said before it in a conversation."""
    asked = questions.segment(message)
    forms = (questions.bare(asked), questions.normalise(asked))
    return not forms[1] or any(followups.leans(plain) or leans_itself(plain) for plain in forms)


def leans_itself(plain: str) -> bool:
    """Whether a folded text without punctuation is short and points back, or begins in the middle."""
    return leans_en(plain) if plain.isascii() else leans_zh(plain.replace(" ", ""))


def leans_en(text: str) -> bool:
    """Whether an English message is short and points back, or begins in the middle."""
    own = [word for word in text.split() if word not in ENGLISH_STOP_WORDS and word not in followups.HOLLOW_EN]
    pointing = len(own) <= OWN_EN and POINTS_EN.search(EMPTY_POINTS_EN.sub(" ", text))
    part = len(own) <= PART_EN and PART_EN_LEAD.match(text) and not followups.ASKS_EN.search(text)
    return bool(pointing or part or ALONE_EN.fullmatch(text))


def leans_zh(text: str) -> bool:
    """Whether a Chinese message is short and points back, or begins in the middle."""
    if len(text) > CHARACTERS_ZH:
        return False
    return bool(POINTS_ZH.search(text) or LEAD_ZH.match(text) or (len(text) <= PART_ZH and PART_ZH_LEAD.match(text)))


@functools.lru_cache(4096)
def replaces(message: str) -> bool:
    """Whether a message asks the same about something else: `what about iPhone?`, 那安卓呢."""
    plain = questions.bare(message)
    if plain.isascii():
        return bool(followups.LEAD_EN.match(plain))
    text = plain.replace(" ", "")
    return bool(followups.LEAD_ZH.match(text) or followups.BARE_ZH.fullmatch(text))
