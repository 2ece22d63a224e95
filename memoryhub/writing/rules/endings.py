"""What no longer holds: 'I don't live in Denver any more', 我已经从百度离职了. The value is ended, nothing takes its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.household import PETS_EN, PETS_ZH
from memoryhub.writing.rules.statement import Found, Statement, field_found
from memoryhub.writing.rules.vocabulary import TECH, field_of

_NAME = r"(?P<value>(?-i:[A-ZÀ-Þ][\w&'’.-]*(?:\s+(?:of|de|the|[A-ZÀ-Þ&][\w&'’.-]*)){0,3}))"
_NOT = r"(?:(?P<ended>no\s+longer|not\s+any\s?more)|don['’]?t|do\s+not|am\s+not|['’]m\s+not|are\s+not|['’]re\s+not|isn['’]?t|is\s+not)\s+(?:actually\s+|really\s+|currently\s+)?"
_LATER = r"(?P<later>\s*,?\s*(?:any\s?more|any\s+longer|these\s+days|now|as\s+of\s+\w+))?"
_DIET = r"(?P<value>vegetarian|vegan|pescatarian|keto|kosher|halal|gluten-free|dairy-free|on\s+(?:a|the)\s+[\w-]+\s+diet)"


def _en(field: str, pattern: str) -> tuple[str, re.Pattern[str]]:
    return field, lazy_pattern(pattern, re.IGNORECASE)


_ENGLISH: tuple[tuple[str, re.Pattern[str]], ...] = (
    _en("contact.address", rf"\b(?:i|we)\s+{_NOT}live\s+at\s+(?P<value>\d[^,.;!]{{4,60}}?){_LATER}(?=[,.;!]|$)"),
    _en("user_profile.location", rf"\b(?:i|we)\s*(?:{_NOT})(?:live|living|based|reside)\s+in\s+{_NAME}{_LATER}"),
    _en("user_profile.location", rf"\b(?:i|we)(?:['’]ve|\s+have)?\s+(?:just\s+|already\s+)?(?P<ended>moved\s+(?:away\s+from|out\s+of)|left)\s+{_NAME}(?=\s+(?:for\s+good|last|in|this|behind)\b|[.!]|$)(?!.*\bto\s+[A-Z])"),
    _en("user_profile.employer", rf"\b(?:i|we)\s*(?:{_NOT})(?:work|working|employed|with)\s*(?:at|for|by|with)?\s+{_NAME}{_LATER}"),
    _en("user_profile.employer", rf"\bi(?:['’]ve|\s+have)?\s+(?:just\s+|recently\s+|finally\s+)?(?P<ended>quit(?:\s+my\s+job\s+at)?|left(?:\s+my\s+job\s+at)?|resigned\s+from|stopped\s+working\s+(?:at|for)|(?:was|got|been)\s+(?:laid\s+off|fired|let\s+go)\s+(?:from|by))\s+{_NAME}"),
    _en("user_profile.employer", r"\bi(?:['’]ve|\s+have)?\s+(?:just\s+|recently\s+|finally\s+)?(?P<ended>quit\s+my\s+job|lost\s+my\s+job|(?:was|got|been)\s+(?:laid\s+off|fired|let\s+go)|handed\s+in\s+my\s+notice)(?!\s+(?:at|from|by)\b)"),
    _en("user_profile.diet", rf"\bi\s*(?:{_NOT})(?:an?\s+|strictly\s+|eating\s+)?{_DIET}{_LATER}"),
    _en("user_profile.diet", rf"\bi(?:['’]ve|\s+have)?\s+(?P<ended>stopped|given\s+up|gave\s+up|quit)\s+(?:being\s+)?(?:an?\s+)?{_DIET}"),
    _en("user_profile.pet", rf"\b(?:i|we)\s+{_NOT}(?:have|own|keep)\s+(?:an?|the|our|my|any)\s+(?P<value>{PETS_EN}){_LATER}"),
    _en("user_profile.pet", rf"\b(?:my|our)\s+(?:\w+\s+)?(?P<value>{PETS_EN})(?:\s+(?-i:[A-Z][a-z]+))?\s+(?:has\s+|sadly\s+|just\s+)*(?P<ended>passed\s+away|died|ran\s+away\s+for\s+good|was\s+put\s+(?:down|to\s+sleep))|\b(?:i|we)(?:['’]ve|\s+had\s+to|\s+have)?\s+(?P<ended2>rehomed?|gave\s+away|given\s+away|give\s+(?:up|away)|gave\s+up|lost|had\s+to\s+put\s+down)\s+(?:my|our|the)\s+(?:old\s+|poor\s+|beloved\s+)?(?P<value2>{PETS_EN})|\b(?:i|we)(?:['’]ve|\s+had\s+to|\s+have)?\s+(?P<ended3>gave|given|give)\s+(?:my|our|the)\s+(?P<value3>{PETS_EN})\s+(?:away|up|to)\b"),
    _en("user_profile.membership", r"\b(?:i(?:['’]ve|\s+have)?\s+(?:just\s+|recently\s+)?(?P<ended>cancel+ed|given\s+up|gave\s+up|ended|dropped|terminated|let\s+go\s+of)\s+my\s+(?:\w+\s+)?(?:membership|subscription)|i(?:['’]m|\s+am)\s+(?P<ended3>no\s+longer)\s+an?\s+(?:\w+\s+)?member|my\s+(?:\w+\s+)?membership\s+(?:has\s+)?(?P<ended2>expired|ended|lapsed|run\s+out|was\s+cancel+ed))"),
    _en("user_profile.membership", rf"\bi\s*(?:{_NOT})an?\s+(?P<value>vip|gold|silver|platinum|diamond|premium|basic|plus|pro)\s+(?:member|customer|subscriber){_LATER}"),
    _en("user_profile.commute", rf"\bi\s+{_NOT}(?P<value>drive|cycle|walk|bike|commute)\s+to\s+(?:work|the\s+office){_LATER}"),
    _en("contact.phone", r"\bmy\s+(?:old\s+|home\s+|work\s+)?(?:phone\s+|mobile\s+)?number\s+(?:(?:is|has\s+been)\s+(?P<ended>no\s+longer\s+(?:in\s+use|valid|working|active)|disconnected|cancel+ed)|(?P<ended2>no\s+longer\s+works)|doesn['’]t\s+work\s+(?P<ended3>any\s?more))"),
    _en("contact.email", r"\b(?:my\s+(?:old\s+|work\s+)?e-?mail(?:\s+address)?\s+(?:(?:is|has\s+been)\s+(?P<ended>no\s+longer\s+(?:in\s+use|valid|active)|closed|deactivated)|(?P<ended2>no\s+longer\s+works))|(?:i\s+(?P<ended3>no\s+longer)\s+use|(?P<ended4>stop\s+using|don['’]t\s+use))\s+(?:my\s+)?(?:the\s+)?(?P<value>[\w.+-]+@[\w.-]+\w))"),
    _en("project_config.deadline", r"\b(?:there(?:['’]s|\s+is)\s+(?P<ended>no\s+(?:more\s+)?deadline)\s*(?:any\s?more|now)?|(?:the|our)\s+deadline\s+(?:was|is|has\s+been)\s+(?P<ended2>cancel+ed|dropped|lifted|removed|scrapped|off|gone|no\s+longer\s+valid))"),
    _en("project_config.max_budget", r"\b(?:there(?:['’]s|\s+is)\s+(?P<ended>no\s+(?:longer\s+(?:a|any)\s+)?budget\s+(?:limit|cap)(?:\s+any\s?more)?)|(?:the|our)\s+budget\s+(?:limit|cap)\s+(?:was|is|has\s+been)\s+(?P<ended2>lifted|removed|dropped))"),
    _en("preferences.do_not_recommend", r"\byou\s+(?:can|may)\s+(?P<ended>recommend|suggest)\s+(?:me\s+)?(?P<topic>[\w][\w -]{1,30}?)\s+(?:to\s+me\s+)?(?:again|now)\b"),
    _en("user_profile.language", r"\byou\s+(?P<ended>(?:don['’]t|do\s+not)\s+(?:have|need)\s+to)\s+(?:reply|answer|write|respond)\s+in\s+(?P<value>(?-i:[A-Z][a-z]+))\s*(?:any\s?more|any\s+longer)?"),
    _en("preferences.reply_style", r"\byou\s+(?P<ended>(?:don['’]t|do\s+not)\s+(?:have|need)\s+to)\s+(?:keep\s+(?:it|your\s+(?:answers|replies))|be\s+so)\s+(?:short|brief|concise|formal|simple)\s*(?:any\s?more)?"),
)  # fmt: skip


def _zh(field: str, pattern: str) -> tuple[str, re.Pattern[str]]:
    return field, lazy_pattern(pattern)


_GONE = r"(?:已经|已經|早就?|现在|現在|目前|如今|也|都|其实)*"
_CHINESE: tuple[tuple[str, re.Pattern[str]], ...] = (
    _zh("user_profile.location", rf"(?:我(?:们|們)?|^|[，,]){_GONE}不(?:再)?住在?(?P<value>[\u4e00-\u9fffA-Za-z]{{2,10}}?)(?:那边|這邊|这边)?了(?=[，,。！!]|$)|(?:我(?:们|們)?|^|[，,]){_GONE}(?:不|没|没有)(?:再)?在(?P<value2>[\u4e00-\u9fffA-Za-z]{{2,10}}?)(?:住|生活|居住|定居)了"),
    _zh("user_profile.location", rf"(?:我(?:们|們)?|^|[，,]){_GONE}(?:搬离|搬離|搬出|离开|離開)了?(?P<value>[\u4e00-\u9fff]{{2,6}}?)了?(?=[，,。！!]|$)(?![^。]*搬[到去来])"),
    _zh("user_profile.employer", rf"(?:我|^|[，,]){_GONE}(?:上个月|上周|昨天|刚刚?|年初)*从(?P<value>[\u4e00-\u9fffA-Za-z0-9]{{2,12}}?)(?:辞职|辭職|离职|離職|跳槽|出来|走人|退休)(?:出来)?了?(?=[，,。！!]|$)|(?:我|^|[，,]){_GONE}(?:不|没|没有)(?:再)?在(?P<value2>[\u4e00-\u9fffA-Za-z0-9]{{2,12}}?)(?:(?:上班|工作|干|做|任职|待|当[\u4e00-\u9fff]{{1,5}})了?|(?<![京海州圳都津庆汉安明岛门沙口])了)(?=[，,。！!]|$)"),
    _zh("user_profile.employer", rf"(?:我|^|[，,]){_GONE}(?:昨天|上周|上个月|刚刚?)*(?:辞职|辭職|离职|離職|失业|失業|被裁(?:员)?|被辞退|被优化|被公司裁)了(?=[，,。！!]|$)|我把工作辞了"),
    _zh("user_profile.diet", rf"(?:我|^|[，,]){_GONE}不(?:再|是)?(?P<value>吃素|吃全素|素食主义者|素食者|素食|吃清真|生酮|吃斋)了(?=[，,。！!]|$)"),
    _zh("user_profile.pet", rf"(?:我家?的?|我们家的?|家里的?|我把(?:家里的?)?)(?P<value>(?!把)[\u4e00-\u9fff]{{0,3}}?{PETS_ZH})(?:已经|前几天|前阵子|上周|上个月|去年|昨天|不在|今年|早就|也|被我|被|刚)*(?:去世了|走了|死了|没了|送人了|走丢了|丢了|过世了|送走了|送朋友了|送给[\u4e00-\u9fff]{{1,6}}了|被领养了|转让了|离开了|没熬过)|(?:^|[，,])(?P<value3>[\u4e00-\u9fff]{{0,3}}?{PETS_ZH})(?:我)?(?:已经|前几天|前阵子|上周|上个月|去年|昨天|今年|早就|也|被我|被|刚|不幸)*(?:去世了|走了|死了|没了|送人了|走丢了|丢了|过世了|送走了|送朋友了|送给[\u4e00-\u9fff]{{1,6}}了|不养了)|(?:我|^|[，,]){_GONE}不(?:再)?养(?P<value2>{PETS_ZH})了"),
    _zh("user_profile.membership", rf"(?:我|^|[，,])(?:的)?(?:会员|會員)(?:卡|资格|等级)?(?:我|被)?{_GONE}(?:过期|到期|退|取消|注销|停|不续|作废|失效|冻结|降级没)(?:掉|订|费)?了|(?:我|^|[，,]){_GONE}(?:退了|退掉了?|取消了|不续|不续费|注销了|停了|不再是)(?:你们的?|你家的?|贵店的?|这个)?(?:[\u4e00-\u9fff]{{0,3}})(?:会员|會員)|我{_GONE}不是(?:你们的?|你家的?)?(?:[\u4e00-\u9fffA-Za-z]{{0,4}})(?:会员|會員)了"),
    _zh("user_profile.commute", rf"(?:我|^|[，,]){_GONE}不(?:再)?(?P<value>(?:坐|骑|开|乘|搭)[\u4e00-\u9fff]{{1,5}}?)(?:上班|上下班|通勤)了(?=[，,。！!]|$)"),
    _zh("contact.phone", rf"(?:我的?|那个|这个|之前的?|原来的?|旧的?)?(?:手机号?|电话|號碼|号码|電話)(?:我)?{_GONE}(?:不用|停用|作废|注销|停机|打不通|不能用)了"),
    _zh("contact.email", rf"(?:我的?|那个|这个|之前的?|原来的?|旧的?)?(?:邮箱|郵箱|信箱)(?:我)?{_GONE}(?:不用|停用|作废|注销|不能用)了"),
    _zh("contact.address", rf"(?:我的?|那个|这个|之前的?|原来的?|旧的?)?(?:地址|住址)(?:我)?{_GONE}(?:不用|停用|作废|不能用|失效)了"),
    _zh("project_config.deadline", r"(?:截止日期|截止时间|交付日期|截止日|上线日期|deadline)(?:已经)?(?:取消|作废|不作数|没有)了|(?:已经)?没有截止日期了"),
    _zh("project_config.max_budget", r"预算(?:上限|限制)(?:已经)?(?:取消|放开|没有)了|没有预算(?:上限|限制)了"),
    _zh("preferences.do_not_recommend", r"(?:现在|以后)?(?:又)?可以(?:重新|再)?(?:给我)?(?:推荐|推薦|推)(?P<topic>[\u4e00-\u9fffA-Za-z]{1,10}?)了"),
    _zh("user_profile.language", r"(?:以后|现在)?不用(?:再)?(?:用|说|讲)(?P<value>[中英日韩法德俄粤][文语](?:字)?)(?:回复|回答|说|跟我说)?(?:我)?了"),
    _zh("preferences.reply_style", r"(?:以后|现在)?不用(?:再)?(?:回复|回答|说)(?:得|的)?(?:这么|那么)?(?:简短|详细|正式|简洁)了"),
)  # fmt: skip
_LEFT_TECH_EN = lazy_pattern(
    rf"\b(?:we|our\s+team|the\s+team|the\s+project|i)\s+(?:no\s+longer\s+use\s+(?P<a>{TECH})|(?:don['’]?t|do\s+not)\s+use\s+(?P<c>{TECH})(?=\s*,?\s*any\s?more)|(?:have\s+|['’]ve\s+)?(?:stopped\s+using|dropped|got\s+rid\s+of|phased\s+out|removed)\s+(?P<b>{TECH}))(?P<later>\s*,?\s*any\s?more)?\s*(?=[.!,;]|$)",
    re.IGNORECASE,
)
_LEFT_TECH_ZH = lazy_pattern(
    rf"(?:我们|我們|项目|团队|现在|已经|^|[，,])*不(?:再)?用\s*(?P<a>{TECH})\s*了(?=[，,。！!]|$)",
    re.IGNORECASE,
)
_WENT_ON = lazy_pattern(
    r"\bmoved\s+to\b|\b(?:now\s+(?:work|at)|joined|to\s+join|started\s+at)\b|跳槽(?:到|去)|加入了?|入职|去了(?!世)|现在在"
)
_REPLACED = lazy_pattern(
    r"改用|换成|改成|换了|换为|\b(?:switched|moved|replaced|in\s+favou?r|instead|now\s+use)\b", re.IGNORECASE
)


def find(statement: Statement) -> Iterator[Found]:
    """Yield the values the sentence ends. A bare negation ('I don't live in X') ends one only with 'any more'."""
    for field, pattern in (
        *(_ENGLISH if statement.english else ()),
        *(_CHINESE if statement.chinese else ()),
    ):
        match = pattern.search(statement.text)
        if match is None or not (statement.chinese or _is_ended(match)):
            continue
        if field == "user_profile.employer" and _WENT_ON.search(statement.text):
            continue
        groups = match.groupdict()
        value: Any = groups.get("value") or groups.get("value2") or groups.get("value3")
        yield _removal(
            field, value.strip(" .") if value else None, match.span(), subject=groups.get("topic") or ""
        )
    yield from _technologies(statement)


def _is_ended(match: re.Match[str]) -> bool:
    return any(value for name, value in match.groupdict().items() if name.startswith(("ended", "later")))


def _technologies(statement: Statement) -> Iterator[Found]:
    if _REPLACED.search(statement.text):
        return
    for pattern in (_LEFT_TECH_EN, _LEFT_TECH_ZH):
        if match := pattern.search(statement.text):
            name = next(group for key, group in match.groupdict().items() if group and key in "abc")
            if field := field_of(name):
                yield _removal(f"project_config.{field}", name, match.span())


def _removal(field: str, value: Any, span: tuple[int, int], *, subject: str = "") -> Found:
    form_type, name = field.split(".")
    if name == "do_not_recommend":
        value = True
    return field_found(
        form_type,
        name,
        value,
        span,
        subject=subject.strip(),
        operation="remove",
        explicit_correction=True,
        confidence=0.9,
    )
