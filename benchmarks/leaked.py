"""Made-up messages of people who paste more than they should, and of people who paste what only looks like it.

Every secret is put together from random characters at run time: none is, or was, anybody's.
"""

import random
import string
from collections.abc import Callable, Iterator
from typing import NamedTuple

Rng = random.Random
LETTERS = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
WORDS = "amber candle drift ember fable gravel harbor island jungle kettle lantern meadow needle orchard pebble quartz".split()


class Said(NamedTuple):
    """A message, the secret that stands in it (empty when there is none), and which kind of text it is."""

    text: str
    secret: str
    kind: str


def lot(rng: Rng, size: int, characters: str = LETTERS) -> str:
    """Return random characters."""
    return "".join(rng.choices(characters, k=size))


def with_luhn(body: str) -> str:
    """Return digits with the check digit that makes a card's number of them."""
    total = 0
    for place, digit in enumerate(reversed(body)):
        value = int(digit) * (2 if place % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return body + str(-total % 10)


def resident(rng: Rng) -> str:
    """Return a Chinese resident's number with its check character."""
    body = f"110105{rng.randint(1950, 2005)}{rng.randint(1, 12):02}{rng.randint(1, 28):02}{rng.randrange(1000):03}"
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    return body + "10X98765432"[sum(int(digit) * weight for digit, weight in zip(body, weights, strict=True)) % 11]


KEYS: dict[str, Callable[[Rng], str]] = {
    "GitHub token": lambda rng: "gh" + "p_" + lot(rng, 36),
    "GitLab token": lambda rng: "gl" + "pat-" + lot(rng, 20),
    "AWS key": lambda rng: "AK" + "IA" + lot(rng, 16, string.ascii_uppercase + "234567"),
    "Slack token": lambda rng: "xo" + f"xb-{lot(rng, 12, string.digits)}-{lot(rng, 12, string.digits)}-{lot(rng, 24)}",
    "Stripe key": lambda rng: "sk_" + "live_" + lot(rng, 24),
    "JWT": lambda rng: "ey" + f"J{lot(rng, 30)}." + "ey" + f"J{lot(rng, 40)}.{lot(rng, 43)}",
    "random token": lambda rng: lot(rng, 40),
    "password": lambda rng: lot(rng, 8) + rng.choice("!#%&") + lot(rng, 3),
    "password without its name": lambda rng: lot(rng, 8) + rng.choice("!#%&") + lot(rng, 3),
    "passphrase": lambda rng: " ".join(rng.sample(WORDS, 4)),
}
KEY_TEXTS = {
    "GitHub token": ("git push with {} is refused, why?", "我的 token 是 {}，推送被拒绝"),
    "GitLab token": ("The job uses {} and fails", "流水线里写了 {} 还是失败"),
    "AWS key": ("aws s3 ls says {} is invalid", "密钥 {} 失效了"),
    "Slack token": ("The bot starts with {} and posts nothing", "机器人用 {} 启动，没有消息"),
    "Stripe key": ("checkout answers 401 with {}", "用 {} 调支付接口返回401"),
    "JWT": ("Authorization: Bearer {} is answered with 403", "请求头带了 {} 还是403"),
    "random token": (
        "export SERVICE_TOKEN={}",
        'api_key = "{}"',
        "curl -H 'X-Auth-Token: {}' https://api.example.com/v1/items",
    ),
    "password without its name": ("I type {} and it says that it is wrong", "输入{}之后提示错误"),
    "passphrase": ("my passphrase is {}", "the password is: {}"),
    "password": ("my password is {}, it does not work", "密码：{}，登录不了", "postgres://app:{}@db.example.com:5432/app"),
}
PERSONAL: dict[str, Callable[[Rng], str]] = {
    "e-mail": lambda rng: f"{lot(rng, 7, string.ascii_lowercase)}@example.org",
    "Chinese mobile": lambda rng: "139" + lot(rng, 8, string.digits),
    "phone": lambda rng: f"+49 30 {lot(rng, 8, string.digits)}",
    "resident number": resident,
    "card": lambda rng: with_luhn("622848" + lot(rng, 12, string.digits)),
}
PERSONAL_TEXTS = {
    "e-mail": ("Please write to {} when it is done", "发到 {} 就行"),
    "Chinese mobile": ("我的手机号是{}，收不到验证码", "call me at {} please"),
    "phone": ("My phone is {}, nobody called", "电话 {}，没有人接"),
    "resident number": ("身份证号{}，实名认证失败", "my ID number is {}"),
    "card": ("卡号 {} 扣款失败", "the card {} was charged twice"),
}
PLAIN: dict[str, Callable[[Rng], str]] = {
    "commit": lambda rng: f"It broke with commit {lot(rng, 40, HEX)}, before that it was fine.",
    "UUID": lambda rng: (
        f"request {lot(rng, 8, HEX)}-{lot(rng, 4, HEX)}-4{lot(rng, 3, HEX)}-a{lot(rng, 3, HEX)}-{lot(rng, 12, HEX)} timed out"
    ),
    "version": lambda rng: (
        f"After the update to {rng.randint(1, 9)}.{rng.randint(0, 30)}.{rng.randint(0, 99)} the page stays empty"
    ),
    "path": lambda rng: (
        f"/var/lib/service/{lot(rng, 8, string.ascii_lowercase)}/cache-{rng.randint(1000, 9999)}.db is 3 GB large"
    ),
    "time": lambda rng: (
        f"2026-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}T08:{rng.randint(10, 59)}:07+00:00 ERROR worker 17 restarted"
    ),
    "about passwords": lambda rng: f"How do I change the password policy of team {rng.randint(1, 99)}?",
    "关于密码": lambda rng: f"第{rng.randint(2, 99)}组的密码规则在哪里修改？",
    "checksum": lambda rng: f"sha256:{lot(rng, 64, HEX)} is the digest of the image",
    "code": lambda rng: f'for item in items[:{rng.randint(2, 90)}]: total += item["price"] * item.get("count", 1)',
    "order": lambda rng: f"订单号 {lot(rng, 16, string.digits)} 还没有发货",
    "price": lambda rng: f"订单共 {rng.randint(100, 9999)}.{rng.randint(10, 99)} 元，分 {rng.randint(2, 12)} 期付款",
    "address of a page": lambda rng: (
        f"https://docs.example.com/guide/{lot(rng, 9, string.ascii_lowercase)}?page={rng.randint(1, 99)}"
    ),
}


def messages(each: int, seed: int = 5) -> Iterator[Said]:
    """Yield `each` messages of every kind; `kind` is `key`, `personal` or `plain`."""
    rng = random.Random(seed)
    for kind, makers, texts in (("key", KEYS, KEY_TEXTS), ("personal", PERSONAL, PERSONAL_TEXTS)):
        for name, maker in makers.items():
            for number in range(each):
                secret = maker(rng)
                yield Said(texts[name][number % len(texts[name])].format(secret), secret, kind)
    for write in PLAIN.values():
        for _ in range(each):
            yield Said(write(rng), "", "plain")
