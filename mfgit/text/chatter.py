"""What an answer says of the conversation itself: of passages it was given, of the assistant, and what it offers to do next.

Readers of a page are in no conversation, so such sentences leave an answer. A sentence that only leans on what the assistant
was given, as in `according to the provided context, …`, keeps what it says.
"""

import re

GIVEN = r"(?:provided|given|supplied|retrieved|above|available|shared|your|these|those)"
SOURCES = (
    r"(?:contexts?|passages?|excerpts?|snippets?|search results?"
    r"|retrieved (?:documents?|texts?)|sources you (?:gave|provided|shared))"
)
LEAD_EN = re.compile(
    r"(?i:(?:according to|based (?:solely |only )?on|as (?:stated|mentioned|described|noted) in|from|per|given)"
    r" (?:the |this )?"
    rf"(?:(?:information |details )?(?:{GIVEN} )?(?:in )?(?:the )?{SOURCES}"
    rf"|{GIVEN} (?:documents?|documentation|information|text|content))"
    r"(?: (?:that )?(?:you )?(?:provided|given|above|shared))?,\s*)"
)
TAIL_EN = re.compile(
    rf"(?i:,? (?:according to|based on|as (?:stated|mentioned) in) (?:the )?(?:{GIVEN} )?{SOURCES}(?= ?[.!]?$))"
)
LEAD_ZH = re.compile(
    r"(?:根据|基于|按照|依据|从)(?:您|你|以上|上述|所|已)?(?:提供|给出|给定|检索到?|上述|以上|现有|给)?的?(?:这些|相关)?"
    r"(?:上下文|参考资料|检索(?:结果|内容|片段)|知识库片段)(?:信息|内容|片段)?(?:中|里|来看|可知|可以看出"
    r"|显示)*[，,：:]\s*"
)
ABOUT_EN = (
    r"^(?:and |but |also,? |or )?(?:if you(?:'d)?(?: would)? (?:want|like|wish|prefer|need"
    r"|are interested)\b[^.!?]*?,? ?"
    r"\bI(?:'d|'ll| can| could| will| would|'m happy| am happy)\b"
    r"|(?:would you like|do you want|shall i|should i|want) (?:me|to|i)\b[^.!?]*\?"
    r"|(?:please )?(?:let me know|tell me|just (?:ask|say|tell me|let me know)|feel free to ask) if\b"
    r"|i(?: can|'d be happy to| would be happy to|'m happy to| am happy to|'d be glad to|'m glad to) (?:also )?"
    r"(?:help|show|walk|explain|provide|give|guide|assist|write|share|draft|look)\b[^.!?]*\b(?:you|if|more"
    r"|further|with)\b"
    r"|(?:unfortunately,? |sorry,? |but )?i (?:don't|do not|didn't|did not) (?:actually )?(?:know\b"
    r"|have (?:any |enough |specific |more "
    r"|further |that |access to |the )*(?:information|details|access|data|context|knowledge|ability))"
    r"|(?:unfortunately,? |sorry,? )?i(?:'m| am) (?:not (?:sure|certain|able to|aware)|unable to|just an? (?:ai"
    r"|language|assistant)|an? (?:ai|language))\b"
    r"|i(?:'m| am) (?:very |so )?(?:sorry|afraid),? (?:but )?(?:that )?i(?:'m| am) (?:unable|not)\b"
    r"|i(?:'m| am) (?:very |so )?(?:sorry|afraid),? (?:but )?(?:that )?i (?:can't|cannot|don't|do not|couldn't"
    r"|have no)\b"
    r"|(?:unfortunately,? )?i (?:can't|cannot|can not|couldn't|could not) (?:find (?:any|anything|that"
    r"|the answer|information)|answer|"
    r"determine|verify|provide (?:any|that|more)|help with)\b"
    r"|as an? (?:ai|artificial|language model|assistant|chat ?bot)\b"
    rf"|(?:unfortunately,? )?(?:the|this) (?:{GIVEN} )?{SOURCES} (?:(?:does|do|did)(?: not|n't)|only) "
    r"(?:mentions?|says?|specify|specifies|states?|address(?:es)?|provide (?:any )?(?:information|details)"
    r"|contain (?:any )?"
    r"(?:information|details)|include (?:any )?(?:information|details)|describes?)\b"
    r"|(?:thanks|thank you) for (?:the|your) (?:context|clarification|clarifying)\b"
    r"|(?:great|good|excellent) question\b|(?:does|did) (?:that|this) (?:help|make sense|answer your question)\b)"
)
ABOUT_ZH = (
    r"^(?:如果|如|若)(?:您|你)?(?:还|仍)?(?:需要|想要?|愿意|希望|有需要)[^。！？]*?"
    r"我(?:还|也)?(?:可以|能|来|会|愿意|很乐意)"
    r"|^(?:是否)?(?:还)?(?:需要|要不要|想要|想让|希望)我(?:帮|再|继续|为|给|进一步|详细)"
    r"|^(?:我)?(?:还|也)可以(?:继续|进一步|再)?(?:帮|为|给)(?:您|你)"
    r"|^(?:很?抱歉|对不起)?[，,]?"
    r"我(?:也|还)?(?:不知道|不清楚|不太?(?:确定|清楚|了解)|无法(?:回答|确定|确认|提供|得知|访问|查看)"
    r"|没有(?:相关|足够的?|更多)?(?:信息|资料))"
    r"|^作为(?:一个|一名|一款)?(?:AI|ai|人工智能|语言模型|智能助手|聊天机器人)"
    r"|^(?:但|不过)?[，,]?(?:(?:提供|给出|给定|检索到?|上述|以上|现有)的?)?"
    r"(?:上下文|参考资料|检索(?:结果|内容|片段))(?:信息|内容)?(?:中|里)?"
    r"(?:并?没有?|未|并未|只)(?:有)?"
    r"(?:提到|提及|说明|包含|给出|涉及|找到)"
    r"|^(?:这|以上)(?:样|些)?(?:回答|解释|信息)?(?:是否)?(?:对您|对你|能)(?:有)?(?:帮助|解决)[^。]*[吗?？]"
)
ABOUT = re.compile(rf"(?i:{ABOUT_EN})|{ABOUT_ZH}")
YET = re.compile(r"[,;–—] ?but (?!i\b)|[，；]但", re.IGNORECASE)
"""What tells that a sentence goes on to say something of the matter."""


def of_the_chat(sentence: str) -> bool:
    """Tell whether a sentence speaks of the conversation, of what the assistant was given or knows, or offers something."""
    said = sentence.replace("\u2019", "'").strip(" \t*_")
    return ABOUT.search(said) is not None and not YET.search(said)


def without_leads(text: str) -> str:
    """Return a line without the phrases by which sentences lean on what the assistant was given."""
    left = LEAD_ZH.sub("", TAIL_EN.sub("", LEAD_EN.sub("\0", text)))
    return re.sub("\0([a-z]?)", lambda found: found[1].upper() if starts(left, found.start()) else found[1], left)


def starts(text: str, place: int) -> bool:
    """Tell whether a sentence begins at a place of a line."""
    before = (
        text[:place].rstrip(" \t*_>-0123456789.)") if not text[:place].strip(" \t*_>-0123456789.)") else text[:place].rstrip()
    )
    return not before or before[-1] in ".!?:。！？："
