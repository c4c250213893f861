"""What is about one person leaves answers, questions and excerpts; what is everybody's stays. The cases are our own."""

import pytest

from mfgit.text.personal import general, masked, question

LEFT_OUT = {
    "greeting by name": ("Hi Sarah, open Settings and choose Billing.", "Open Settings and choose Billing."),
    "title and name": ("Dear Mr. Smith,\n\nOpen Settings.", "Open Settings."),
    "introduction": ("I'm Lisa from support. Open Settings.", "Open Settings."),
    "introduction and help": ("My name is Tom and I'll be helping you today. Open Settings.", "Open Settings."),
    "refund done": ("I have refunded your order. Refunds arrive within 5 days.", "Refunds arrive within 5 days."),
    "order number": ("Your parcel for order 48291735 is late. Parcels take 3 days.", "Parcels take 3 days."),
    "ticket": (
        "I've escalated your ticket TKT-88213. Tickets are answered within a day.",
        "Tickets are answered within a day.",
    ),
    "tracking": (
        "The tracking number is 1Z999AA10123456784. See the Orders page for others.",
        "See the Orders page for others.",
    ),
    "looked up": ("I can see that your account is locked. Choose Forgot password.", "Choose Forgot password."),
    "state of one": ("Your refund has been processed. Refunds take 5 days.", "Refunds take 5 days."),
    "one's amount": ("Your refund of $128.50 is on the way. Refunds take 5 days.", "Refunds take 5 days."),
    "promise": ("I'll check this for you. Meanwhile clear the cache.", "Meanwhile clear the cache."),
    "regards": ("Open Settings.\n\nBest regards,\nLisa\nCustomer Support", "Open Settings."),
    "dash and name": ("Open Settings.\n\n– Tom", "Open Settings."),
    "name again": ("Hello Sarah! Open Settings. Then, Sarah, choose Billing. Save the page.", "Open Settings. Save the page."),
    "boilerplate": ("Thanks for contacting us! Open Settings. Have a great day!", "Open Settings."),
    "in a list": ("1. Open Settings.\n2. I have reset your password.\n3. Sign in.", "1. Open Settings.\n3. Sign in."),
    "Chinese greeting": ("张先生您好，请打开设置页面。", "请打开设置页面。"),
    "Chinese honorific": ("尊敬的王女士：\n请打开设置页面。", "请打开设置页面。"),
    "Chinese agent": ("您好，我是客服小王，很高兴为您服务。请打开设置页面。", "请打开设置页面。"),
    "Chinese done": ("已为您处理。退款会在五天内到账。", "退款会在五天内到账。"),
    "Chinese helped": ("我已经帮您提交了退款申请。退款会在五天内到账。", "退款会在五天内到账。"),
    "Chinese order": ("您的订单20231108812345已发货。一般三天送达。", "一般三天送达。"),
    "Chinese amount": ("退还您128.5元。退款会在五天内到账。", "退款会在五天内到账。"),
    "Chinese wishes": ("请打开设置页面。祝您生活愉快！", "请打开设置页面。"),
    "Chinese staff number": ("工号1024为您服务。请打开设置页面。", "请打开设置页面。"),
    "name with an apostrophe": (
        "Dear Jean-Luc O'Hara,\n\nOpen Settings. Jean-Luc, reply to this. Save.",
        "Open Settings. Save.",
    ),
    "name that is a word": ("Hi Mark, open Settings. Mark the box. Mark, save it please.", "Open Settings. Mark the box."),
    "user name": ("Open Settings. Your account username is lena_k4.", "Open Settings."),
    "call me": ("Open Settings. Please call me at [redacted:phone] if a problem remains there.", "Open Settings."),
    "only a mark": ("Open Settings. Contact our team at [redacted:email].", "Open Settings."),
    "mark of a person": ("Open Settings. Ask for [redacted:name] at the front desk of the shop.", "Open Settings."),
    "offer": ("Open Settings. If you want, I can also show the steps.", "Open Settings."),
    "question of the assistant": ("Open Settings. Would you like me to open a ticket?", "Open Settings."),
    "ignorance": ("Open Settings. I don't know.", "Open Settings."),
    "context": ("According to the provided context, open Settings.", "Open Settings."),
    "based on": ("Yes, based on the given passages, plans renew.", "Yes, plans renew."),
    "Chinese four characters": ("欧阳小明您好，请打开设置页面。欧阳小明，请保存。", "请打开设置页面。"),
    "Chinese name": ("李小红你好！请打开设置页面。", "请打开设置页面。"),
    "Chinese account": ("请打开设置页面。您的会员账号是 lena_k4。", "请打开设置页面。"),
    "Chinese offer": ("请打开设置页面。如果您需要，我可以继续说明。", "请打开设置页面。"),
    "Chinese context": ("根据提供的上下文，请打开设置页面。", "请打开设置页面。"),
    "nothing general": ("Hi Sarah, I have refunded your order 48291735. Best regards, Lisa", ""),
    "nothing general in Chinese": ("您好，已为您处理，请稍等。", ""),
}
STAYS = {
    "greeting without a name in code": "```\nHello World, this is it.\n```",
    "program": "Hello World is the first program that most people write.",
    "condition": "Once your order has been shipped, you get a message.",
    "rule": "Your account is locked after five wrong passwords.",
    "policy": "We will refund your order within 14 days.",
    "advice": "I recommend that you update to version 4.2.1 first.",
    "public address": "Write to [redacted:email] and name the plan that you want to have.",
    "user name in general": "If your username is user_1, sign in with it.",
    "default account": "The default user is admin_1.",
    "still answers": "I don't know the exact day, but refunds take five days.",
    "React context": "The context provides values to the components below it.",
    "Chinese knowledge": "高级用户您可以打开上下文菜单。",
    "error code": "Error 40012 means that the account is suspended.",
    "price": "The yearly plan costs $48 and includes a domain.",
    "minimum": "Your balance must be at least $10.",
    "port": "The server listens on port 8080 and needs 4096 MB.",
    "issue": "This was fixed in issue #12345 of version 2.0.",
    "hotline": "Call 400-800-1234 between 9 and 18.",
    "contact": "If it still fails, contact support at https://example.com/help.",
    "we as a product": "We have added a new option to the settings page.",
    "quoted status": 'The status "your order has been shipped" means that it left the warehouse.',
    "possessive": "Open your account page, choose your order and press Return.",
    "record": "ID:121, Type:add index, RowCount:77312",
    "Chinese condition": "您的订单发货后，系统会发送短信。",
    "Chinese rule": "系统会为您自动续费，您可以在订单页取消。",
    "Chinese price": "年费会员每年 198 元，包含专属客服。",
    "Chinese minimum": "您的余额不足 10 元时无法提现。",
    "Chinese place": "请拨打 400-800-1234，或在高级设置中查看订单号。",
    "Chinese general case": "如果您的账户已被锁定，请点击忘记密码。",
    "Chinese steps": "1. 打开订单页\n2. 点击申请退款\n3. 填写退款金额",
    "code": "```\nI have refunded your order 48291735\n```",
    "table": "| Plan | Price |\n| --- | --- |\n| Basic | $9 |",
}


@pytest.mark.parametrize(("answer", "wanted"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_sentences_about_one_person_leave_an_answer(answer: str, wanted: str) -> None:
    assert general(answer) == wanted
    assert general(wanted) == wanted


@pytest.mark.parametrize("answer", STAYS.values(), ids=STAYS)
def test_what_is_everybodys_stays_as_it_is(answer: str) -> None:
    assert general(answer) == answer


def test_a_link_that_a_blank_parted_is_one_again() -> None:
    assert general("See [the guide] (https://example.org/a) first.") == "See [the guide](https://example.org/a) first."
    assert general("```\n[a] (https://example.org/a)\n```") == "```\n[a] (https://example.org/a)\n```"


def test_a_value_that_an_original_holds_stays() -> None:
    answer = "The test order 48291735 always succeeds."
    assert general(answer) == ""
    assert general(answer, lambda value: value == "48291735") == answer


QUESTIONS = {
    "order": ("Why has my order #48291735 not arrived?", "Why has my order not arrived?"),
    "order number": ("my order number is 48291735, how do I return it?", "My order, how do I return it?"),
    "chargeback": ("I need to track the status of chargeback #1124381935-1.", "I need to track the status of chargeback."),
    "amount": ("Why was I charged $49.99 twice?", "Why was I charged twice?"),
    "name": ("My name is Sarah Lee, how do I change my plan?", "How do I change my plan?"),
    "mark": ("my email is [redacted:email], how do I change it?", "My email, how do I change it?"),
    "Chinese order": ("订单号20231108812345到哪里了？", "订单到哪里了？"),
    "Chinese name": ("我叫王小明，怎么修改发票抬头？", "怎么修改发票抬头？"),
    "Chinese amount": ("为什么多扣了128.5元？", "为什么多扣了？"),
    "nothing left": ("order 48291735", ""),
    "nothing left in Chinese": ("订单号20231108812345", ""),
    "version": ("How do I update to 4.2.1 on port 8080?", "How do I update to 4.2.1 on port 8080?"),
    "error": ("What does error 40012 mean?", "What does error 40012 mean?"),
    "price": ("Does the $48 plan include a domain?", "Does the $48 plan include a domain?"),
    "product": ("This is React, how do I add it?", "This is React, how do I add it?"),
}


@pytest.mark.parametrize(("text", "wanted"), QUESTIONS.values(), ids=QUESTIONS)
def test_values_of_one_person_leave_a_question(text: str, wanted: str) -> None:
    assert question(text) == wanted
    assert not wanted or question(wanted) == wanted


EXCERPTS = {
    "order": ("Where is order 48291735?", "Where is order [redacted:number]?"),
    "name": ("My name is Sarah, hello", "My name is [redacted:name], hello"),
    "Chinese": ("我叫王小明，订单20231108812345没到", "我叫[redacted:name]，订单[redacted:number]没到"),
    "title": ("Mr. Smith cannot sign in", "[redacted:name] cannot sign in"),
    "amount": ("I was charged $49.99", "I was charged [redacted:amount]"),
    "nothing": ("How do I install 4.2.1?", "How do I install 4.2.1?"),
}


@pytest.mark.parametrize(("text", "wanted"), EXCERPTS.values(), ids=EXCERPTS)
def test_excerpts_get_a_mark_in_the_place_of_values(text: str, wanted: str) -> None:
    assert masked(text) == wanted
    assert masked(wanted) == wanted
