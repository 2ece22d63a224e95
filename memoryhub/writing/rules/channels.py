"""By which way the speaker wants to be reached."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.statement import Found, Statement, field_found

_CH_EN = r"(?:e-?mail|phone|text(?:\s+messages?)?|texts?|sms|whatsapp|wechat|telegram|slack|signal|(?:ms\s+|microsoft\s+)?teams|post|letter|video\s+calls?|zoom|chat|messenger|discord|skype|facetime|instagram|linkedin|voice\s*mail|phone\s+calls?|direct\s+messages?|DMs?|carrier\s+pigeon|push\s+notifications?)"
_REACH_EN = r"(?:contact|reach|notify|ping|message|update|inform|alert|remind|get\s+(?:in\s+touch\s+with|hold\s+of)|write\s+to|talk\s+to|get\s+back\s+to|send\s+(?:everything|updates|it|things|notifications|reminders)\s+to)"
_CHANNEL_EN = lazy_pattern(
    rf"\b(?:(?:please\s+)?(?:always\s+|only\s+)?{_REACH_EN}\s+(?:me|us)\s+(?:only\s+|just\s+)?(?:by|via|on|through|over|with|using)\s+(?P<a>{_CH_EN})|i(?:['’]d|\s+would)?\s+(?:\w+\s+)??(?:prefer|want|like|rather)\s+(?:to\s+)?be(?:ing)?\s+(?:contacted|reached|notified|called|messaged|updated)\s+(?:by|via|on|through|over)\s+(?P<b>{_CH_EN})|"
    rf"(?:the\s+)?(?:best|easiest|fastest|quickest|preferred|simplest)\s+(?:way|channel)\s+(?:to\s+(?:reach|contact|get)\s+(?:hold\s+of\s+)?me\s+)?is\s+(?:by\s+|via\s+|on\s+|through\s+)?(?P<c>{_CH_EN})|(?:do\s+not|don['’]?t|stop|never|please\s+don['’]t|no\s+need\s+to)\s+(?:call|phone|ring)(?:ing)?\b\s*(?:me)?[^.;!?]{{0,40}}?[,;.–-]?\s*(?:just\s+|please\s+|but\s+|always\s+)*(?P<d>text|e-?mail|message|whatsapp|slack)\s+me|"
    rf"(?:please\s+)?(?:only|just|always)\s+(?P<e>e-?mail|text|message|whatsapp|slack|dm)\s+me|(?P<f>text|e-?mail|message|whatsapp|slack|call|dm)\s+me\s*(?:\s+instead|rather\s+than|not\s+(?:call|e-?mail|text)|don['’]t\s+call|,?\s+(?:please\s+)?(?:don['’]t|do\s+not|never|no)\s+(?:call|phone|ring|calls|text|e-?mail|message)|whenever|if\s+(?:anything|something|there)|about|when)|"
    rf"(?P<g>{_CH_EN})\s+(?:is|works|would\s+be|suits\s+me)\s+(?:best|better|easiest|preferred|the\s+best\s+way|my\s+preferred\s+\w+|the\s+easiest|ideal|good\s+for\s+me|fine\s+for\s+me)(?:\s+(?:for|to\s+reach|to\s+contact)\s+me)?|i(?:['’]d|\s+would)?\s+(?:much\s+|really\s+)?prefer\s+(?:an?\s+)?(?P<h>{_CH_EN})(?:\s+(?:messages?))?(?:\s+(?:to|over|rather\s+than|instead\s+of)\s+(?:{_CH_EN}|calls|calling|being\s+called))|"
    rf"(?:contact|reach|notify|update)\s+me\s*:\s*(?P<i>{_CH_EN})|(?:send|drop|shoot)\s+me\s+(?:an?\s+)?(?P<j>{_CH_EN})\s+(?:instead|rather\s+than|if\s+(?:anything|something)|whenever|not\s+a\s+call|when(?:ever)?\s+(?:something|there|it))|(?:don['’]t|do\s+not|no)\s+(?:call|phone|ring)\w*\b[^.;]{{0,20}}[,;]\s*(?:please\s+)?send\s+(?:me\s+)?(?:an?\s+)?(?:message|text|note|line)\s+(?:on|via|through|by)\s+(?P<p>{_CH_EN})|my\s+preferred\s+(?:contact\s+)?(?:channel|method|way\s+of\s+contact)\s+is\s+(?P<k>{_CH_EN})|(?P<q>call|phone|text|e-?mail)\s+me\s*,?\s+(?:please\s*,?\s+)?(?:because\s+|as\s+|since\s+)?i\s+(?:don['’]t|do\s+not|never|rarely|hardly|barely|seldom)\s+(?:read|check|answer|use|see|open|look)|i(?:['’]m|\s+am)\s+(?:best|easiest|always)\s+(?:reached|contacted|reachable|available)\s+(?:by|on|via|through|over)\s+(?P<r>{_CH_EN})|use\s+(?P<n>{_CH_EN})\s+(?:if|when|whenever|to\s+(?:reach|contact|message))\b[^.]{{0,20}}\bme\b|(?:please\s+)?(?:don['’]t|do\s+not)\s+(?:phone|call|ring)\b[^.;]{{0,20}}[,;]\s*(?P<o>{_CH_EN})\s+(?:is|works)\b|(?:reach|find|get)\s+me\s+on\s+(?P<l>{_CH_EN})|(?:i\s+only\s+(?:check|read|use|answer)\s+(?:my\s+)?)(?P<m>{_CH_EN})(?=\s*(?:[.,!]|$|so\b)))",
    re.IGNORECASE,
)
_CH_ZH = r"(?:企业微信|微信|电话|電話|短信|簡訊|简讯|邮件|郵件|邮箱|电子邮件|电邮|電郵|钉钉|飞书|飛書|WhatsApp|whatsapp|Telegram|telegram|Slack|slack|QQ|qq|LINE|Line|line|站内信|私信|语音|视频|Email|email|E-mail|Teams|Zoom|Messenger|信件)"
_DO_ZH = r"(?:用|通过|通過|打|发|發|走|加|上|以|在|靠)"
_TELL_ZH = r"(?:联系|聯繫|聯絡|联络|通知|找|告诉|告訴|提醒|回复|回|跟|和|戳|滴|沟通|知会)"
_CHANNEL_ZH = lazy_pattern(
    rf"(?:别|不要|不用)(?:再)?(?:给我)?(?:发|打|用){_CH_ZH}(?:联系)?(?:我)?了?[，,；;](?:改|请|就|有事|以后|直接|还是|都|{_DO_ZH})*(?P<s>{_CH_ZH})(?:上)?(?:联系|找|通知|给|跟)?我?(?:吧|就行|就好|说)*(?=[，,。！!；;]|$)|(?:有(?:急)?事|以后|有问题|紧急)[，,]?(?:请|就|都|直接|可以)*打我(?:的)?(?P<k>电话|電話|手机)(?!\s*[：:\d])|(?:(?:以后|有事|通知|消息|资料)(?:的)?(?:通知|消息|文件|资料|账单|东西)?(?:都|请|就|统一|一律)*(?:发|寄|传)(?:到)?(?:我)?(?:的)?(?P<l>邮箱|微信|手机|钉钉|飞书|QQ)(?=[，,。！!；;吧就]|$)|(?:请|請|以后|以後|尽量|盡量|最好|都|今后|有事|有消息|有什么事|有问题|直接|就|一律|统一|还是|麻烦|，|,)+{_DO_ZH}\s*(?P<a>{_CH_ZH})\s*(?:上|来|消息|信息)?(?:给我|跟我|和我)?(?:说|{_TELL_ZH})?(?:我)?|{_TELL_ZH}我(?:的话|请|請|最好|就|尽量|都|一般|还是|，|时|直接)*{_DO_ZH}\s*(?P<b>{_CH_ZH})|"
    rf"{_DO_ZH}\s*(?P<c>{_CH_ZH})\s*(?:来)?{_TELL_ZH}我|(?:不要|别|別|不用|少)(?:再)?(?:给我)?打(?:我)?(?:电话|電話)(?:给我|了)?[，,；;。]?\s*(?:有事|请|就|直接|改|都|最好|还是|麻烦)*{_DO_ZH}?\s*(?P<d>{_CH_ZH})|{_DO_ZH}\s*(?P<e>{_CH_ZH})\s*(?:给我|告诉我|就行|就好|吧)?[，,]?\s*(?:不要|别|別|不用|少)(?:再|给我)*打(?:我)?(?:电话|電話)|"
    rf"(?P<f>{_CH_ZH})\s*(?:上)?(?:联系|聯絡|联络|沟通|找我|通知|回复)?(?:我)?(?:最|比较|更|还是|就|会)*(?:方便|合适|好找|及时|快)|有(?:事|问题|消息|情况)(?:就|请|都|直接|，)*(?P<g>{_CH_ZH})\s*(?:上)?(?:说|找我|联系|联系我|我|留言|聊)|(?:事情?|问题|情况|消息|进展|更新|急事)(?:的话|请|就|都|可以|直接|，|,)*(?P<m>{_CH_ZH})\s*(?:上)?(?:找|联系|通知|跟|滴|戳|@|告诉|发给|提醒|留言给)我|加我(?P<p>微信|QQ|钉钉|飞书)|(?:直接|请|就|还是)给我(?:打|发)(?P<q>{_CH_ZH})(?:就行|就好|吧|即可|，|,)|(?:账单|发票|对账单|通知|消息|提醒)(?:都|请|就|直接|统一)*(?:发|寄|传)(?:到)?我(?:的)?(?P<r>邮箱|微信|手机|钉钉|飞书|QQ)(?=[，,。！!；;吧就]|$)|(?:以后|今后|有事|平时|日常)(?:就|都|请|还是|，)*(?P<n>{_CH_ZH})\s*(?:上)?(?:联系|沟通|聊|说|交流)(?=[，,。！!；;吧就]|$)|我(?:平时|一般|基本|现在)*只(?:看|用|回|收|刷)(?P<o>{_CH_ZH})|(?P<h>{_CH_ZH})\s*(?:上)?(?:联系|聯絡|联络|找|通知)我?(?:就行|就好|吧|即可|就可以)|(?:首选|优先|偏好)(?:的)?(?:联系方式|渠道|聯絡方式|联络方式)?(?:是|用|：)?(?P<i>{_CH_ZH})|我(?:更)?(?:习惯|喜欢|倾向|愿意|想)(?:用|于用|通过|走)(?P<j>{_CH_ZH})(?:沟通|联系|聊|交流))"
)
_NUMBER_HERE = lazy_pattern(r"\d{5,}|@")
_FOR_ONE_TASK = lazy_pattern(
    r"(?:发|發|写|打)(?:一?封|个|一条|一个|份)|帮我(?:发|打|写)|\bthis\s+(?:e-?mail|message|text)\b|给(?:他|她|客户|老板|同事)",
    re.IGNORECASE,
)


def find(statement: Statement) -> Iterator[Found]:
    """Yield the channel the speaker prefers, at most one a sentence."""
    text = statement.text
    match = _CHANNEL_ZH.search(text) if statement.chinese else None
    match = match or (_CHANNEL_EN.search(text) if statement.english else None)
    if match is None or _FOR_ONE_TASK.search(text) or _NUMBER_HERE.search(text):
        return
    value = next(group for group in match.groups() if group)
    value = "phone" if value.lower() == "call" else value
    yield field_found("preferences", "contact_channel", value, match.span())
