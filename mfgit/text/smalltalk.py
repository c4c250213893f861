"""The words of messages that ask nothing, in English and Chinese: lists, and how a message is read as a chain of them.

In the lists `|` or a line's end parts phrases. Phrases are written as `questions.normalise` leaves them: folded, without
punctuation. They were written down by us.
"""

import functools
import re

GREETINGS_EN = """
hi|hello|hey|hiya|howdy|yo|greetings|hi there|hello there|hey there|dear team|dear support|dear all|hi all
hello everyone|hi team|good morning|good afternoon|good evening|good day|good night|morning|evening|hope you are well
hope you are doing well|how are you|how are you doing|nice to meet you|excuse me|pardon me|sorry|sorry to bother you
sorry to bother|please|pls|plz|kindly|help|please help|help me|please help me|can you help|can you help me
could you help me|can someone help|can anyone help|i need help|need help|need some help|i have a question
i have one question|i got a question|have a question|quick question|quick one|question|one question|one more question
another question|just a question|small question|help please|urgent|asap|anyone|anybody|someone|guys|folks|sir|madam|bot
assistant
"""

LEADS_EN = """
can you tell me|can you please tell me|could you tell me|could you please tell me|would you tell me|can u tell me
please tell me|tell me|can anyone tell me|can someone tell me|do you know|does anyone know|does anybody know|anyone know
any idea|any ideas|i want to know|i wanted to know|i would like to know|id like to know|i d like to know|i need to know
i wish to know|i want to ask|i wanted to ask|i would like to ask|id like to ask|i d like to ask|may i ask|can i ask
could i ask|let me ask|may i know|just wondering|i was wondering|i am wondering|im wondering|i m wondering|wondering
just curious|i am curious|could you explain|can you explain|can you explain to me|please explain|please advise
please let me know|let me know|i need help with|need help with|i need some help with|help me with|help with
can you help me with|could you help me with|can you help with|i need assistance with|i would like help with
can you help me to|could you help me to|please help me to|please help me with|i have a question about
so|well|ok so|okay so|um|uh|hmm|btw|by the way|also|and also|now
"""

THANKS_EN = """
thanks|thank you|thankyou|thx|thnx|tnx|ty|tysm|thanks a lot|thanks so much|thank you so much|thank you very much
thanks very much|many thanks|thanks a million|thanks again|thank you again|thanks in advance|thank you in advance
much appreciated|appreciated|appreciate it|i appreciate it|i appreciate your help|really appreciate it|cheers
thanks for your help|thank you for your help|thanks for the help|thanks for helping|thank you for helping|regards
best regards|kind regards|best wishes|gracias|merci|thanks for that|thank you for that|thanks for the info
thanks for the information|thanks for the quick reply|thanks for the reply|thank you for your time|bless you
thanks for explaining|thanks for the explanation|thanks for your patience|that was helpful|that is helpful
that s helpful|very helpful|so helpful
"""

PLEAS_EN = "please|pls|plz|asap|urgent|kindly|help|please help|help me|any idea|any ideas|anyone|sir|please advise"

REPLIES_EN = """
ok|okay|k|kk|okey|okie|alright|all right|right|fine|sure|sure thing|of course|certainly|definitely|absolutely|yes|yeah
yep|yup|ya|y|yea|aye|no|nope|nah|n|not really|not yet|maybe|perhaps|i see|i understand|understood|i got it|got it|gotcha
noted|makes sense|that makes sense|roger|i know|i agree|agreed|exactly|correct|that s right|thats right|that is right
that s correct|true|indeed|great|good|nice|cool|awesome|excellent|perfect|wonderful|fantastic|amazing|brilliant|super
lovely|sweet|neat|wow|oh|ah|oops|haha|hahaha|lol|lmao|hehe|good job|well done|nice work|great job|great work|good work
nice one|good one|good bot|great answer|good answer|nice answer|sounds good|sounds great|looks good|looks great|lgtm
that works|it works|it works now|it worked|works now|that worked|works|that worked perfectly|that did it|done|all done
all good|all good now|all set|im good|i m good|i am good|i am fine|im fine|fine thanks|solved|problem solved|fixed
it is fixed|resolved|that is all|that s all|thats all|that is it|that s it|thats it|that will be all|nothing
nothing else|no more|no more questions|that helps|that helped|this helps|it helps|it helped|no problem|no worries|np
never mind|nevermind|nvm|forget it|forget about it|ignore that|ignore this|don t worry|dont worry|you too|same to you
welcome|you re welcome|you are welcome|my pleasure|have a nice day|have a good day|have a great day|have a good one
have a good evening|have a nice weekend|have a good weekend|take care|bye|bye bye|goodbye|good bye|see you|see ya
see you later|later|talk later|talk to you later|ttyl|cya|so long|good luck|continue|please continue|go on|go ahead
proceed|carry on|keep going|next|next one|next step|next please|more|more please|tell me more|go back|back|again
once more|one more time|try again|retry|redo|do it again|please try again|regenerate|repeat|repeat that|say that again
start over|restart|reset|stop|cancel|quit|exit|wait|wait a moment|one moment|one second|one sec|hold on|hang on
just a moment|a moment|give me a moment|brb|test|testing|test test|this is a test|ping|pong|hello world|are you there
you there|anyone there|is anyone there|anybody there|is anybody there|still there|are you still there|can you hear me
are you a bot|are you human|are you real|who are you|what are you|what is your name|talk to a human|human please|agent
agent please|live agent|representative|operator|speak to a human|talk to an agent|speak to an agent
connect me to an agent|talk to a person|real person please|customer service|customer support|do it|do that|do so
let s do it|lets do it|let s go|lets go|go for it|yes do it|that one|this one|the first one|the second one|first one
second one|both|either|neither|none|all|all of them|it is|it does|i do|i did|i don t|i will|will do|i will try|ill try
i ll try|i will try that|let me try|let me check|let me see|i ll check|will try|will check|please do|whatever
interesting|really|seriously|so|and|then|but|very|much|too|now|it|that|this|the|a|you|for|to|so much|very much|a lot
today|here|there|everyone|friend|mate|man|dude|buddy|team|support|sounds perfect|works for me|fair enough|good to know
good point|point taken|i think so|i guess so|i guess|i suppose so|i hope so|me too|same here|same|ditto|okay cool
copy that|copy|ack|acknowledged|received|on it|happy to help|glad to hear|glad to hear it|good stuff|keep it up|go|start
begin|ready|i am ready|i m ready|im ready|yes sir|yes ma am|my bad|my mistake|apologies|sorry about that|no need
not needed|not now|not necessary|maybe later|another time|some other time|tomorrow|later then|i am back|i m back|im back
im here|i am here|i m here|hello again|hi again|hey again|summarize|summarise|shorter|longer|shorter please|in english
in english please|in chinese|translate|translate that|translate it|elaborate|please elaborate|explain more
explain further|more details|more detail|show more|show me more|example|example please|give me an example|keep writing
finish|finish it|please finish|go deeper|cont|cont d|continue please|continue writing|keep on|what else|anything else
and then|then what|that is fine|that s fine|thats fine|that is great|that s great|thats great|that is good|that s good
thats good|that is perfect|that s perfect|that is ok|it s ok|its ok|it is ok|it s fine|its fine|no thanks|no thank you
nah thanks|yes thanks|merry christmas|happy new year|happy birthday|happy holidays|congrats|congratulations|ha|hm|mm|mhm
uh huh|err|erm|meh|yay|hooray|woohoo|phew|aha|ooh|aww|ouch|damn|omg|wtf|idk|i don t know|dunno|not sure|i m not sure
i am not sure|im not sure|no idea|i have no idea|beautiful|superb|splendid|terrific|outstanding|love it|i love it
i like it|like it|you rock|you are awesome|you re awesome|you are the best|you re the best|you are great|you re great
legend|star|lifesaver|you are a lifesaver|big help|great help|good help|what a relief|finally|at last|hurray|bravo|kudos
props|respect|peace|peace out|over|over and out|end|the end|gm|gn
"""

GREETINGS_ZH = """
请问一下|请问下|请问|你好呀|你好啊|你好|您好呀|您好|你们好|大家好|各位好|早上好|上午好|中午好|下午好|晚上好|早安|午安
晚安|早|嗨|哈喽|哈啰|哈罗|嘿|喂|亲爱的|亲们|亲|想问一下|想问下|想问问|我想问一下|我想问下|我想问问|我想问|想问
我想请问一下|我想请问|想请问一下|想请问|我想知道|想知道|我想咨询一下|想咨询一下|想咨询下|咨询一下|咨询下|我想了解一下
想了解一下|想了解下|我想了解|了解一下|麻烦问一下|麻烦问下|麻烦问问|麻烦你|麻烦您|麻烦了|麻烦|劳驾|打扰一下|打扰下|打扰了
打扰|不好意思|抱歉|对不起|请教一下|请教下|请教个问题|请教|问一下|问下|问个问题|问问|有个问题想问一下|有个问题请教
有个问题|有问题|我有个问题|我有一个问题|求助|求教|求解|急求|请帮忙|帮忙
帮我查一下|帮我查下|请查一下|查一下|查下|帮我|请帮我|帮帮我|请告诉我|告诉我|能告诉我
能不能告诉我|可以告诉我|能否告诉我|谁知道|有谁知道|有人知道|你知道|您知道|客服你好|客服您好|客服|老师好|老师|大神|大佬
各位|小编|亲亲|另外|还有|那个|就是|嗯
"""

THANKS_ZH = """
谢谢你的帮助|谢谢您的帮助|谢谢帮助|谢谢你了|谢谢您了|谢谢大家|谢谢你啊|谢谢你|谢谢您|谢谢啦|谢谢了|谢谢哈|谢谢哦|谢谢呀
谢谢咯|谢谢|谢啦|谢了|谢过|谢|多谢了|多谢你|多谢您|多谢|感谢您|感谢你|感谢|非常感谢|十分感谢|万分感谢|太感谢了|太谢谢了
感激不尽|感恩|辛苦了|辛苦你了|辛苦您了|辛苦啦|辛苦|麻烦你了|麻烦您了|麻烦啦|在线等急|急在线等|在线等|很急|急急急|急用
急急|急|求回复|求解答|求解|望回复|望解答|请尽快回复|尽快回复|请回复|请解答|拜托了|拜托|3q|thx|thanks|thank you
"""

REPLIES_ZH = """
好的好的|好的呢|好的呀|好的吧|好的|好滴|好哒|好嘞|好啊|好呀|好吧|好了|好|行吧|行啊|行的|行|可以的|可以了|可以|没问题
没事的|没事了|没事儿|没事|没关系|不客气|不用谢|不谢|嗯嗯嗯|嗯嗯|嗯|恩恩|恩|哦哦|哦|噢噢|噢|喔|啊|呃|额|哎|唉|哈哈哈哈
哈哈哈|哈哈|呵呵|嘿嘿|嘻嘻|是的呢|是的|是啊|是呀|是|对的|对啊|对呀|对对对|对对|对|没错|正确|不是的|不是|不对|不行|不可以
不要了|不要|不用了|不用|不需要了|不需要|不必了|算了吧|算了|没有了|没有|没了|没|无|知道了|我知道了|知道啦|知道|明白了
我明白了|明白|懂了|我懂了|懂|了解了|了解|清楚了|清楚|收到了|收到|已收到|理解了|理解|原来如此|原来这样|原来是这样|这样啊
这样子|是这样|是这样啊|好像是|可能吧|也许吧|应该是|应该吧|继续写|继续说|继续吧|继续|请继续|接着写|接着说|接着|往下
往下写|往下说|下一步|下一个|下一条|下一页|下一题|再来一次|再来一个|再来一遍|再来|再试一次|再试试|再试|重试一下|重试
重新来|重来|重新生成|重新回答|再说一遍|再说一次|重复一遍|还有吗|还有呢|然后呢|接下来呢|之后呢|更多|多说点|详细点
详细一点|详细说说|展开说说|简单点|短一点|长一点|说完|写完|停|停止|取消|退出|结束|返回|回退|开始|开始吧|等等|等一下|等下
稍等|稍等一下|稍后|等会|等会儿|一会儿|马上|转人工|转人工客服|转接人工|人工|人工服务|人工客服|我要人工|我要转人工|找人工
真人|真人客服|接人工|在吗|在不在|在么|有人吗|有人在吗|有人么|在线吗|你在吗|您在吗|还在吗|你还在吗|听得到吗|能听到吗
你是谁|你是机器人吗|你是机器人|你叫什么|你叫什么名字|再见|拜拜|拜|回见|回头见|下次见|下次再聊|改天聊|回聊|先这样|就这样
就这样吧|那就这样|先这样吧|晚点再说|下了|走了|再会|明天见|测试一下|测试下|测试测试|测试|试一下|试试|试试看|我试试
我试一下|我看看|我看一下|看看|我去试试|回头试试|解决了|已经解决了|已解决|问题解决了|搞定了|搞定|弄好了|好用|有用|很有用
有帮助|很有帮助|太好了|太棒了|真棒|棒棒哒|很棒|棒|赞|点赞|厉害|牛|真厉害|太厉害了|不错|很好|非常好|完美|漂亮|优秀|满意
很满意|非常满意|good|ok|okay|okk|okok|yes|no|hi|hello|嗨|祝好|祝您愉快|祝你愉快|祝你生活愉快|祝您生活愉快|周末愉快
节日快乐|新年快乐|生日快乐|恭喜|恭喜恭喜|加油|随便|都行|都可以|无所谓|不知道|不清楚|不太清楚|不确定|哪里|真的|真的吗
是吗|是嘛|确定|确认|同意|ojbk|收到谢谢|一样|同上|同问|顶|支持|打卡|路过|翻译一下|翻译|总结一下|总结|举个例子|举例|用中文
说中文|中文|英文|用英文|谢绝|免了|忙吧|你忙吧|您忙|我先忙|先忙|回来了|我回来了|我来了|来了|到了|吃了吗|天气不错|无聊
聊聊天|陪我聊天|哇|哇塞|天哪|我去|呜呜|哭|笑死|666|233|1|2|11|111|没别的了|没有别的了|没其他问题了|没有其他问题了
没问题了|没有问题了|没什么了|没什么事了|没啥了|没啥事了|暂时没有|暂时没有了|先不用|下次再说|以后再说|了|吧|呀|呢|吗|哈
啦|嘛|哟|喽|咯|就好|就行|这样就行|这样就好|那好|那好吧|那行|那没事了|好多了
"""


def listed(text: str) -> frozenset[str]:
    """Return the phrases of a list."""
    return frozenset(phrase.strip() for phrase in text.replace("\n", "|").split("|") if phrase.strip())


def longest_first(phrases: frozenset[str]) -> str:
    """Return a regular expression's alternation in which a longer phrase wins over its own beginning."""
    return "|".join(map(re.escape, sorted(phrases, key=lambda phrase: (-len(phrase), phrase))))


HEADS_EN = listed(GREETINGS_EN) | listed(LEADS_EN)
TAILS_EN = listed(THANKS_EN) | listed(PLEAS_EN)
HEADS_ZH = listed(GREETINGS_ZH)
TAILS_ZH = listed(THANKS_ZH)
NOTHING_EN = HEADS_EN | TAILS_EN | listed(REPLIES_EN)
NOTHING_ZH = HEADS_ZH | TAILS_ZH | listed(REPLIES_ZH)
PARTICLES = "吗呢啊呀吧么哦嘛啦哈的了"
"""What ends a Chinese sentence without telling more."""
THANKED = (
    r"(?:thanks|thank you)(?: in advance)? (?=please |can you |could you |tell me )"
    r"|(?:谢谢|多谢|感谢)(?:您|你)?(?=请告诉我|告诉我|请问|想问|麻烦|帮我)"
)
"""Thanks before a lead, and not as a part of what is asked."""
OPENING = re.compile(rf"^(?:(?:{longest_first(HEADS_EN)})\b ?|(?:{longest_first(HEADS_ZH)}) ?|{THANKED})(?=.)")
CLOSING = re.compile(rf"(?: (?:{longest_first(TAILS_EN)})|(?:{longest_first(TAILS_ZH)})|[{PARTICLES}])$")
LONGEST = 60
"""Characters of the longest message that is still read as small talk."""


@functools.lru_cache(4096)
def says_nothing(text: str) -> bool:
    """Whether a folded text without punctuation is nothing but phrases of small talk, in either language."""
    if not text:
        return True
    if len(text) > LONGEST:
        return False
    return chained(tuple(pieces(text)))


def pieces(text: str) -> list[str]:
    """Return the Latin words and single other characters of a text."""
    return re.findall(r"[a-z0-9]+|[^\sa-z0-9]", text)


@functools.lru_cache(1)
def known() -> frozenset[tuple[str, ...]]:
    """Return every phrase as a sequence of pieces."""
    return frozenset(tuple(pieces(phrase)) for phrase in NOTHING_EN | NOTHING_ZH)


def chained(parts: tuple[str, ...]) -> bool:
    """Whether a sequence of pieces is a chain of known phrases."""
    phrases = known()
    reached = [True] + [False] * len(parts)
    for end in range(1, len(parts) + 1):
        reached[end] = any(reached[start] and parts[start:end] in phrases for start in range(max(0, end - 8), end))
    return reached[-1]
