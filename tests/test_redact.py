"""Redaction: what is taken out, what stays, and that every rule of the table is met. Secrets are put together at run time."""

import json
import re
import time
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mfgit.redact import Redactor, checks, library, likely, redact, redact_value, safe_id
from mfgit.redact.redaction import LONG, RULES, Span, folded, merged, place_of, spans_of

LOT = "q7Xw2Lp9Zr4Tb8Nk3Vd6Hs1Mc5Jf0Gy"
UUID = "9b2c1f1e-7d4b-4f53-8f0a-2f6d4f3f8c11"
HEX = "9f86d081884c7d659a2feaa0c55ad015"
MARKS = "-" * 5


def joined(*parts: str) -> str:
    """Put a secret together, so that no file holds one that looks live."""
    return "".join(parts)


def with_check(body: str, characters: str, accepted: "object") -> str:
    """Return `body` with the check character that makes a number of it valid."""
    assert callable(accepted)
    return next(body + each for each in characters if accepted(body + each))


PEM = f"{MARKS}BEGIN RSA PRIVATE KEY{MARKS}\n{LOT * 2}\n{LOT[::-1] * 2}\n{MARKS}END RSA PRIVATE KEY{MARKS}"
RESIDENT = with_check("11010519850312345"[:17], "0123456789X", checks.resident_id)
CREDIT = with_check("91310110MA1FL5E0X"[:17].replace("O", "0"), checks.CREDIT_CODE, checks.credit_code)
CARD = with_check("622848040256489001"[:18], "0123456789", checks.luhn)
TAIWAN = with_check("A12345678", "0123456789", checks.taiwan_id)
PESEL = with_check("8503121234", "0123456789", checks.pesel)
SOUTH_AFRICA = with_check("850312500908", "0123456789", checks.luhn)
AADHAAR = with_check("23412341234", "0123456789", checks.aadhaar)
CANADA_SIN = with_check("13069254", "0123456789", checks.luhn)
IBAN = next(f"DE{n:02}370400440532013000" for n in range(2, 99) if checks.iban(f"DE{n:02}370400440532013000"))
NIF = with_check("12345678", "TRWAGMYFPDXBNJZSQVHLCKE", checks.spanish)
FINNISH = with_check("120385-123", "0123456789ABCDEFHJKLMNPRSTUVWXY", checks.finnish)

TAKEN = {
    "github token": ("git push with {} is refused", joined("gh", "p_", LOT, "abcd"), "token"),
    "gitlab token": ("CI uses {}", joined("gl", "pat-", LOT[:20]), "token"),
    "aws key": ("aws s3 ls says {} is invalid", joined("AK", "IA", "QWERTYUIOPASDFGH"), "aws-key"),
    "alibaba key": ("我的 {} 失效了", joined("LT", "AI", "5tQnK8mZbV3cXwRyAaBbCcDd"), "alibaba-key"),
    "tencent key": ("id {} ok", joined("AK", "ID", "z8krbsJ5yKBZQpn74WFkmLPx3"), "tencent-key"),
    "google key": ("maps: {}", joined("AI", "zaSy", LOT), "google-key"),
    "jwt": ("cookie {}", joined("ey", "JhbGciOiJIUzI1NiJ9.", "ey", "JzdWIiOiIxMjM0In0.", LOT), "jwt"),
    "private key": ("ssh does not take\n{}\nwhy?", PEM, "private-key"),
    "url password": ("postgres://app:{}@db:5432/x", "h0rse-b4ttery", "url-password"),
    "webhook": (
        "post to {}",
        joined("https://hooks.", "slack.com/services/", "T0AB12CD3/B0AB12CD3/", LOT[:24]),
        "chat-webhook",
    ),
    "password": ("password: {}", "Tr0ub4dor", "password"),
    "password of something": ("The password of the server is {}.", "Sunny-Day-42", "password"),
    "password for somebody": ("password for admin: {}", "Sunny-Day-42", "password"),
    "quoted password": ('db_password = "{}"', "correct horse battery", "password"),
    "compared password": ('if ("{}" == password) {{', "s3cret!pw", "password"),
    "sql password": ("CREATE USER a IDENTIFIED BY {};", "Str0ng9Pass", "password"),
    "curl": ("curl -u {} https://example.com", "bob:hunter22", "password"),
    "chinese password": ("我的密码是{}，登录不了", "abc123456", "password"),
    "chinese without a sign": ("wifi密码{}，连不上", "12345678", "password"),
    "mysql": ("mysql -uroot -p{} -h db", "S3cret123", "password"),
    "wide landline": ("电话{}", "０１０－８２３４５６７８", "phone"),
    "wxid": ("微信 {} 加我", "wxid_abcdef123456", "account"),
    "chinese quoted": ("密码：“{}”", "Qwer!2345", "password"),
    "hash beside a word": ("trello token {} works", HEX, "secret"),
    "key beside a name": ('{{"subscription_key": "{}"}}', HEX, "password"),
    "id": ("client_id={}", LOT, "secret"),
    "npm": ("//registry.example.com/:_authToken={}", "npm_xx12", "token"),
    "password hash": ("shadow holds {}", "$6$" + LOT + "$" + LOT, "password-hash"),
    "token alone": ("what is {} ?", LOT, "secret"),
    "prefixed hash": ("use slk_{} please", HEX + HEX, "secret"),
    "encoded": ("blob {} end", "aB3+" + LOT + "/" + LOT + "==", "secret"),
    "wallet": ("send to {}", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "wallet"),
    "mailchimp of the library": ("list {} fails", HEX + "-us12", "mailchimp-access-key"),
    "resident id": ("我的身份证号是{}，怎么改实名信息", RESIDENT, "cn-id"),
    "old resident id": ("旧号{}可以吗", "110105850312345", "cn-id"),
    "credit code": ("统一社会信用代码{}开票", CREDIT, "cn-credit-code"),
    "bank card": ("卡号{}扣款失败", CARD, "card"),
    "grouped card": ("card {} was declined", "4111 1111 1111 1111", "card"),
    "mobile": ("我的手机号{}收不到验证码", "13912345678", "phone"),
    "mobile with country": ("打 {} 给我", "+86 139-1234-5678", "phone"),
    "landline": ("座机{}没人接", "010-82345678", "phone"),
    "service line": ("热线 {} 占线", "400-860-8608", "phone"),
    "plate": ("车牌{}的订单", "粤B12A45", "cn-plate"),
    "consulate plate": ("车牌{}的订单", "闽20401领", "cn-plate"),
    "hongkong id": ("HKID {}", "A123456(3)", "hk-id"),
    "taiwan id": ("身分證 {}", TAIWAN, "tw-id"),
    "vin": ("VIN {}", "LSJA24U62JG269225", "vin"),
    "passport": ("护照号码是{}", "E12345678", "id-number"),
    "code": ("验证码是{}，别告诉别人", "839201", "code"),
    "wide digits": ("手机 {} 谢谢", "１３９１２３４５６７８", "phone"),
    "bank account": ("收款账号 {} 没到账", "1234 5678 9012 34", "account"),
    "qq": ("加QQ：{}", "123456789", "account"),
    "wechat": ("微信号是{}，通过一下", "li_lei-2026", "account"),
    "labelled name": ("收货人：{}，请改", "欧阳小明", "name"),
    "labelled address": ("收货地址：{}，请改", "浙江省杭州市西湖区文三路100号2幢301室", "address"),
    "mobile in brackets": ("手机号{}停机了", "（139）12345678", "phone"),
    "mobile with dots": ("打{}找我", "139.1234.5678", "phone"),
    "mobile with wide blanks": ("打{}找我", "139\u30001234\u30005678", "phone"),
    "mobile three three five": ("打{}找我", "139 123 45678", "phone"),
    "mobile four three four": ("打{}找我", "1391 234 5678", "phone"),
    "landline in fours": ("传真 {} 占线", "0755-8234-5678", "phone"),
    "service line without signs": ("热线{}占线", "4008608608", "phone"),
    "plate with a dash": ("车牌{}的订单", "冀F-43238", "cn-plate"),
    "embassy plate": ("车牌{}的订单", "使183297", "cn-plate"),
    "police plate": ("车牌{}的订单", "WJ鄂13655", "cn-plate"),
    "driving file": ("号码 {} 对吗", "310123456789", "id-number"),
    "passport before its word": ("持{}护照入境", "E12345678", "id-number"),
    "home return permit": ("回乡证号：{}", "H1234567801", "id-number"),
    "social security": ("社会保障号码{}查不到", "2020554057", "id-number"),
    "patient": ("病历号 {} 的报告", "6702318398", "id-number"),
    "parcel": ("快递单号{}没有物流", "SF1234567890123", "id-number"),
    "code without a sign": ("短信验证码{}不对", "532594", "code"),
    "company account": ("对公账户{}没到账", "790891422803555", "account"),
    "qq in chinese": ("扣扣{}加我", "835265123", "account"),
    "wechat without a sign": ("加微信{}聊", "wang_lei78", "account"),
    "named": ("我叫{}，想改资料", "王小明", "name"),
    "a name that is": ("姓名是{}，", "陈静", "name"),
    "birthday": ("出生日期：{}", "1987年6月18日", "birthday"),
    "flat": ("维修 {} 漏水", "浙江省杭州市西湖区文三路100号2幢301室", "address"),
    "where to send": ("请寄到{}谢谢", "湖北省武汉市洪山区珞喻路1037号", "address"),
    "address alone": ("{}", "重庆市渝中区解放碑步行街1号", "address"),
    "spaced resident id": ("身份证号：{}", f"{RESIDENT[:6]} {RESIDENT[6:14]} {RESIDENT[14:]}", "cn-id"),
    "resident id with hyphens": ("{} ok", f"{RESIDENT[:6]}-{RESIDENT[6:14]}-{RESIDENT[14:]}", "cn-id"),
    "resident id with a slip behind its word": ("身份证号码是 {}", "110105 19850312 3450", "cn-id"),
    "spaced old resident id": ("身份证 {}", "110105 850312 345", "cn-id"),
    "zero width in a number": ("打{}找我", "138\u200b1234\u200b5679", "phone"),
    "joiner in a token": ("it is {} now", joined("gh", "\u2060p_", LOT, "abcd"), "token"),
    "soft hyphen in an address": ("mail {} please", "bob@exam\xadple.com", "email"),
    "other hyphens": ("打{}找我", "138\u20111234\u20115679", "phone"),
    "other blanks": ("call {}", "+44\u202f20\xa07946\u20090958", "phone"),
    "long dashes": ("打{}找我", "138—1234—5679", "phone"),
    "figures of another script": ("call {}", "+٤٤ ٢٠ ٧٩٤٦ ٠٩٥٨", "phone"),
    "mathematical letters": ("see {}", "𝚋𝚘𝚋@example.com", "email"),
    "recipient's address": ("收件人：13812345679 {}", "北京市海淀区中关村大街1号", "address"),
    "address behind a phone": ("李雷 13812345679，{}", "北京市海淀区中关村大街1号2单元301室", "address"),
    "address before a phone": ("{} 李雷 13812345679", "北京市海淀区中关村大街1号", "address"),
    "recipient's estate": ("收货信息：李雷 13812345679 {}", "浙江省杭州市西湖区翠苑小区3幢", "address"),
    "birthday without a year": ("我的生日是{}，怎么改", "2月3日", "birthday"),
    "code before its word": ("{}是您的登录验证码", "482913", "code"),
    "pin for money": ("支付密码是{}", "4821", "code"),
    "english code": ("Your verification code is {}", "482913", "code"),
    "english code in two parts": ("OTP: {}", "482 913", "code"),
    "english code before its word": ("{} is your Google verification code", "G-482913", "code"),
    "english pin": ("my PIN is {}", "4821", "code"),
    "english name": ("Hi, my name is {} and", "Mary-Jane O'Neil", "name"),
    "english recipient": ("Ship to: {}, today", "John Smith", "name"),
    "english name behind name": ("name: {}", "John van der Berg", "name"),
    "english regards": ("Best regards,\n{}", "Emily J. Carter", "name"),
    "english address": ("Ship to: {}", "221B Baker Street", "address"),
    "english flat": ("I live at {}", "12 Oak Street, Apt 4, Springfield", "address"),
    "english label": ("Recipient: {}", "15 High St\nLondon SW1A 1AA", "address"),
    "english address with postal code": ("{}", "742 Evergreen Terrace, Springfield, IL 62704", "address"),
    "english birthday": ("Date of birth: {}", "1990-02-03", "birthday"),
    "english birthday in words": ("I was born on {}", "March 3, 1990", "birthday"),
    "english birthday with the day first": ("my birthday is {}", "3rd of May", "birthday"),
    "uuid as a key": ("api_key: {}", UUID, "password"),
    "uuid as a client secret": ("client_secret = {}", UUID, "password"),
    "uuid beside auth": ("auth {}", UUID, "secret"),
    "email": ("写信给{}吧", "li.lei+x@mail.example.cn", "email"),
    "iban": ("pay to {}", IBAN, "iban"),
    "phone": ("call me at {}", "+44 20 7946 0958", "phone"),
    "us phone": ("ring (212) 555-0187 or {}", "212-555-0143", "phone"),
    "local phone": ("número {}", "0232 123 45 67", "phone"),
    "mobile number": ("Globe {}", "09281234567", "phone"),
    "phone by its word": ("my fax is {}", "5550143", "phone"),
    "ssn": ("SSN {}", "219-09-9997", "ssn"),
    "ip": ("the login came from {}", "93.184.216.34", "ip"),
    "ipv6": ("from {}", "2606:2800:220:1:248:1893:25c8:1946", "ip"),
    "mac": ("device {}", "3c:22:fb:9a:10:5e", "mac"),
    "aadhaar": ("it is {}", f"{AADHAAR[:4]} {AADHAAR[4:8]} {AADHAAR[8:]}", "national-id"),
    "nif": ("mi DNI es {}", NIF, "national-id"),
    "finnish": ("hetu {}", FINNISH, "national-id"),
    "pesel": ("numer {}", PESEL, "national-id"),
    "south africa": ("id {}", SOUTH_AFRICA, "national-id"),
    "korea": ("번호 {}", "850312-1234567", "national-id"),
    "driving licence": ("my driver's license is {}", "d1234 5678 901", "id-number"),
    "pan": ("PAN {}", "ABCPE1234F", "tax-id"),
}


@pytest.mark.parametrize(("sentence", "secret", "kind"), TAKEN.values(), ids=TAKEN)
def test_a_secret_in_its_sentence_is_replaced_by_its_kind_and_the_rest_stays(sentence: str, secret: str, kind: str) -> None:
    done = redact(sentence.format(secret))
    assert secret not in done
    assert f"[redacted:{kind}]" in done
    for word in re.findall(r"[A-Za-z]{4,}|[\u4e00-\u9fff]{2,}", sentence.format(" ").split("  ", maxsplit=1)[0]):
        assert word in done


KEPT = {
    "question": "How do I reset my password? The reset link says the token has expired.",
    "question about whose": "The password of the account is required. The token for the API is case-sensitive.",
    "chinese": "密码是什么格式？口令要多长？请问怎么重置密码，验证码收不到。",
    "code": "token = os.environ.get('API_TOKEN')\npassword = getpass()\nkey = self.config.secret_key",
    "placeholder": "Set api_key=<YOUR_KEY> or password=${PASSWORD}, token: your-token-here, secret=xxxxxxxx, pwd=********",
    "prose": 'Open Settings, choose Access keys, and click Create. The field is named "password".',
    "path": "See /Users/devuser/workspaces/pi-mono/packages/tui/src/utils2.ts and docs/guides/openapi-callbacks/image01.png",
    "sha": "Fixed in 4f5e6d7c8b9a0f1e2d3c4b5a69788796a5b4c3d2, image sha256-" + HEX + HEX,
    "uuid": "request 123e4567-e89b-42d3-a456-426614174000 failed",
    "ids": f"session_id: {UUID}, request id: {UUID}, trace_id={UUID}, uuid {UUID}, user id {UUID}, order id = {UUID}",
    "ids of json": f'{{"id": "{UUID}", "userId": "{UUID}"}} /users/{UUID}?client_id={UUID}',
    "chinese ids": f"令牌过期，请求ID：{UUID}，订单ID:{UUID}",
    "ids beside secrets": f"the session token failed, session_id={UUID}; auth failed, request_id:{UUID}",
    "idempotency": f"Idempotency-Key: {UUID}",
    "english labels": "name: Run Tests\nname: Docker Compose\nShip to: United States. My name is not shown. pin 1234",
    "english prose": "error code 4821, the verification code is not sent, born in 1879, Main Street has 3 shops, 12 Angry Men, "
    "3 Ways to the Way, I'm Using 2 Windows",
    "ranges": "1939–1945 and 2010–2020, ①②③, 🧑\u200d🚀 ok",
    "labels": "收货地址怎么修改？联系人在哪里填写，姓名是必填项吗？微信支付和QQ登录都可以，访问地址：https://example.com/a",
    "chinese labels": "微信iphone13闪退，加V认证，QQ空间2024，姓名是什么？我叫外卖，本人已经付款，生日是哪天？验证码2024年改版",
    "public place": "博物馆在北京市东城区五四大街29号，开放时间是9点，出生于1881年",
    "round numbers": "120000000000 行，202611301200，990123456789，v310123456789",
    "names of settings": "max_tokens: 100, tokenizer: gpt2, pass the file on, by pass valve, keyboard layout",
    "versions": "version 11.2.33.4 and 版本 11.2.33.4, 密码10.20.30 jdbc:mysql://db:3306/x?user=root",
    "numbers": "Order 20261130123456789, version 10.15.7.1, 3.14159265358979, 1,234,567,890 rows, 2026-11-30 10:20:30",
    "identifier": "SpringJUnit4ClassRunner initializationError, Nano33BLESenseFirmware, useLayoutEffectOnUpdate2Times",
    "private address": "ping 192.168.1.1 and 127.0.0.1, mask 255.255.255.0",
    "image": "![logo](logo@2x.png) and git@github.com:a/b.git",
    "wrong check digits": "1101051985031234569 4111111111111112 91310110MA1FL5E0XA DE00370400440532013000 A12345678X",
    "separators": "=" * 80 + "\n" + "-" * 80 + "\n" + "+" * 60,
    "time": "at 10:20:30.123 the clock 12:34:56:78",
    "empty": "",
    "names": "H_PRIO, &hf_servingcellprioritypar, 000000000000000000, curl -u <user:password> https://example.com",
    "empty settings": "GITHUB_API_KEY=\nDYNATRACE_API_KEY=\n",
    "key header": f"The file begins with {MARKS}BEGIN CERTIFICATE{MARKS}.",
}


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert redact(text) == text


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=12),
            st.sampled_from([secret for _, secret, _ in TAKEN.values()]),
            st.sampled_from(["password: ", "token=", "key ", "[redacted:email]", "://a:", "@", '"', "密码", "0", "\n"]),
        ),
        max_size=8,
    ).map("".join)
)
@example("password: [redacted:password]")
@example("[redacted:email]" * 3)
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


def test_a_text_is_gone_over_a_limited_number_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mfgit.redact.redaction.ROUNDS", 1)
    assert redact("mail bob@example.com") == "mail [redacted:email]"


@pytest.mark.parametrize(
    "unit",
    [
        joined(a, b)
        for a, b in product(
            ["key", "password", "1", '"', "a@", "-"], ["=", "1", ":", "a1b2", "sk-", f"{MARKS}BEGIN PRIVATE KEY{MARKS}"]
        )
    ],
)
def test_cost_grows_in_step_with_hostile_text(unit: str) -> None:
    """Twice the text may cost four times as much in the worst of three tries; a pattern that backtracks costs far more."""

    def cost(length: int) -> float:
        text = unit * (length // len(unit))
        start = time.process_time()
        redact(text)
        return time.process_time() - start

    assert min(cost(8000) / max(cost(2000), 0.001) for _ in range(3)) < 16


def test_values_are_redacted_through_and_through() -> None:
    mail = "bob@example.com"
    value = {
        "list": [mail, 1, None, True],
        "deep": {"a": {"b": f"write {mail}"}},
        mail: "key",
        "password": "hunter2",
        "nothing": "",
        "pwd": "",
        "phone": 13912345678,
        "stamp": 1764500000000,
        "small": 12,
        "ratio": 0.5,
    }
    done = redact_value(value)
    assert mail not in json.dumps(done)
    assert done["password"] == "[redacted:password]"
    assert redact_value(done) == done
    assert done["phone"] == "[redacted:phone]"
    assert (done["stamp"], done["small"], done["ratio"], done["list"][1:], done["pwd"]) == (
        1764500000000,
        12,
        0.5,
        [1, None, True],
        "",
    )


def test_overlapping_finds_become_one_of_the_first_rule() -> None:
    assert merged([Span(0, 5, 3, "b"), Span(2, 9, 1, "a"), Span(9, 10, 0, "c")]) == [Span(0, 9, 1, "a"), Span(9, 10, 0, "c")]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Ship to: John Smith, 221B Baker Street", "Ship to: [redacted:name], [redacted:address]"),
        ("Recipient: Mary Jones\n15 High St", "Recipient: [redacted:name]\n[redacted:address]"),
        ("收件人：李雷 138 1234 5679 北京市海淀区中关村大街1号", "收件人：[redacted:name] [redacted:phone] [redacted:address]"),
    ],
    ids=["english line", "english lines", "chinese"],
)
def test_a_label_of_a_parcel_goes_with_all_that_is_personal_in_it(text: str, left: str) -> None:
    assert redact(text) == left


def test_what_is_not_seen_goes_with_what_it_hides_and_nothing_else() -> None:
    assert redact("a\u200bb 138\u200b1234\u200b5679\u200b c\u2060d") == "a\u200bb [redacted:phone]\u200b c\u2060d"
    assert Redactor().text("138\u200b1234\u200b5679 13812345679 138—1234—5679").count("[redacted:phone]") == 3
    assert safe_id("wa:+86138\u200b12345679") == safe_id("wa:+8613812345679")


def test_folding_keeps_every_character_in_its_place() -> None:
    assert folded("ÀBC İ 密A") == "Àbc İ 密a"
    assert folded("ABC") == "abc"


@pytest.mark.parametrize(
    ("check", "right", "wrong"),
    [
        (checks.luhn, CANADA_SIN, ""),
        (checks.card, "4242" * 4, "0000000000000000"),
        (checks.is_day, "20240229", "20230229"),
        (checks.is_day, "19991231", "18001231"),
        (checks.resident_id, RESIDENT, "0" + RESIDENT[1:]),
        (checks.driving_file, "430101758218", "439901758218"),
        (checks.driving_file, "430101758218", "430101758000"),
        (checks.hongkong_id, "AB987654(3)", "AB987654(4)"),
        (checks.public_ip, "8.8.8.8", "999.1.1.1"),
        (checks.public_ip, "8.8.8.8", "10.0.0.1"),
        (checks.turkish, "10000000146", "10000000147"),
        (checks.thai, with_check("123456789012", "0123456789", checks.thai), "1111111111111"),
        (checks.brazilian, "529.982.247-25", "529.982.247-26"),
        (checks.social_security, "219-09-9997", "000-12-3456"),
        (checks.phone, "+49 30 901820", "+49 30"),
        (checks.base58_check, "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3"),
        (checks.base58_check, "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "z" * 60),
        (checks.vin, "LSJA24U62JG269225", "LSJA24U61JG269225"),
        (likely.mixed, "Aa1!Aa1!", "aaaaaa1"),
        (likely.dense, "a1b2c3d4e5f6g7", "ordinary-words-here"),
        (likely.dense, "1" * 20, "1" * 15),
        (likely.keyed, HEX, "abcdefabcdefabcd"),
        (likely.keyed, LOT, "1234567890123456"),
        (likely.keyed, "qwXeRtYuIoPaSdFgHj", "internationalization"),
        (likely.bare, "abcdefghijklmnopqrstuvwx", "secretary"),
        (likely.token, LOT, HEX),
    ],
)
def test_checks_tell_right_from_wrong(check: "object", right: str, wrong: str) -> None:
    assert callable(check)
    assert check(right)
    assert not check(wrong)


def test_the_library_gives_rules_and_leaves_out_what_our_own_cover() -> None:
    kinds = {rule.kind for _, rule in library.table()}
    assert {"github-token", "stripe-access-key", "slack-token"} <= kinds
    assert not {"secret-keyword", "private-key", "basic-auth-credentials"} & kinds
    assert len(library.rules("nothing here")) < len(library.table())


def test_a_long_group_of_a_library_pattern_is_the_secret_and_a_short_one_is_not() -> None:
    rules = {rule.kind: rule for _, rule in library.table()}
    token = joined("gh", "o_", "a1" * 18)
    assert [place_of(match) for match in rules["github-token"].pattern.finditer(token)] == [(0, len(token))]
    named = f"softlayer_api_key = {HEX * 2}"
    assert all(place_of(match)[0] >= LONG for match in rules["softlayer-credentials"].pattern.finditer(named))


PIECES = st.one_of(
    st.text(max_size=8),
    st.sampled_from([sentence.format(secret) for sentence, secret, _ in TAKEN.values()]),
    st.sampled_from([secret for _, secret, _ in TAKEN.values()]),
    st.sampled_from(list(KEPT.values())),
    st.sampled_from(["password", "pass", "apikey", "key=", "secret:", "token-key", "identified by", "bearer", "KEY", "Auth"]),
    st.sampled_from(["id", "sig", "[redacted:password]", "identified", "by", "client_", "access key", "密码"]),
    st.sampled_from([": ", "=", " ", '"', "'", "-", "\n", "\n\n", "是", "A1", "9", "ab:"]),
)


@example("jdbc:mysql://db:3306/x?user=root:Tr0ub4dorHKID A123456(3)")
@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, max_size=8).map("".join))
def test_the_cheap_tests_change_nothing_that_is_found(text: str) -> None:
    """Gates, hints and beginnings against every rule tried everywhere."""
    small = folded(text)
    wanted = {
        (*place_of(match), rank, rule.kind)
        for rank, rule in enumerate(RULES)
        for match in rule.pattern.finditer(small if rule.folded else text)
        if rule.check(text[slice(*place_of(match))])
    }
    marks = [match.span() for match in re.finditer(r"\[redacted:[a-z-]+\]", text)]
    wanted = {each for each in wanted if not any(each[0] < end and start < each[1] for start, end in marks)}
    assert {tuple(span) for span in spans_of(text, 0, RULES) if span.rank < len(RULES)} == wanted


def test_every_rule_of_the_table_has_a_kind_that_a_mark_can_hold() -> None:
    for rule in (*RULES, *(rule for _, rule in library.table())):
        assert re.fullmatch(r"[a-z-]+", rule.kind)


def test_every_paragraph_is_looked_at_and_nothing_else_moves() -> None:
    text = "Write to ann@fern.example\n\nor call\n\nbob@fern.example now"
    assert redact(text) == "Write to [redacted:email]\n\nor call\n\n[redacted:email-b] now"
