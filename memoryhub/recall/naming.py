"""Which order, ticket, project, product or person a text names. Pure, by the word beside the name, in Chinese and English.

Undertakings without a name of their own count as projects by what they are about: 权限体系 is `权限`, 'the permission system' is
`permission`. That is coarse on purpose: two wordings of one undertaking must not pass for two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from memoryhub.language.names import name_key
from memoryhub.sessions.contexts import kind_of, name_of, named_in

type Names = Mapping[str, frozenset[str]]
"""Names by kind, each as `name_key` writes it."""

GATED_KINDS = ("order", "ticket", "parcel", "project", "product", "person")
"""What is read out of texts; the vocabulary may name further kinds and let these go (recall.things)."""

KIND_OF_FORM = {"order": "order", "incident": "ticket", "project_config": "project"}
"""What the subject of a form of each starter type is; a type called like a kind is of that kind."""

_CODE = r"(?=[A-Za-z\d_-]*\d)[A-Za-z\d][A-Za-z\d_-]{0,30}"
_LATIN = r"[A-Z][A-Za-z\d]+(?:-[A-Za-z\d]+)*"
_PRODUCT = re.compile(
    rf"(?:产品|產品|商品|机型|機型|型号|型號|设备|設備)\s*[:：#“\"]?\s*(?P<zh>{_CODE})"
    rf"|\b(?:product|model|device|item)\s+(?:no\.?\s*|number\s+|#)?(?P<en>{_CODE})(?![A-Za-z\d])",
    re.IGNORECASE,
)
_PROJECT = re.compile(
    rf"(?:项目|項目)\s*[“\"「《:：]?\s*(?P<zh>{_LATIN})|(?P<zh_before>{_LATIN})\s*[”\"」》]?\s*(?:项目|項目)"
    rf"|\b[Pp]roject\s+(?P<en>{_LATIN})|\b(?P<en_before>{_LATIN})\s+project\b"
)
_NO_NAME = frozenset(
    "a an the my your our his her their its this that these those new old current next last first which what whose any "
    "every each other another same whole main big some no one more most and or for with about over under is are was were "
    "of in on to from".split()
)
_SURNAMES = "王李张張刘劉陈陳杨楊黄黃赵趙周吴吳徐孙孫胡朱高林何郭马馬罗羅梁宋郑鄭谢謝韩韓唐冯馮于董萧程曹袁邓鄧许許傅沈曾彭吕呂苏蘇卢盧蒋蔣蔡贾賈丁魏薛叶葉阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆陸郝孔白崔康毛邱秦江史顾侯邵孟龙龍万段雷钱汤尹黎易常武乔贺赖龚"
_PERSON = re.compile(
    rf"(?P<zh>[{_SURNAMES}](?:工(?![作程厂廠具业業资資期地人夫会會序艺藝])|总(?![共是统統结結体體部计計额額价價量数數之算而会會])"
    r"|经理|經理|老师|老師|先生|女士|小姐|主任|医生|醫生|师傅|師傅|主管|教授|律师|律師))"
    r"|\b(?P<en>(?:Mr|Mrs|Ms|Dr|Prof)\.?\s+[A-Z][a-zA-Z’'-]+)"
)
_HEADS_ZH = "体系|體系|系统|系統|平台|平臺|策略|制度|流程|架构|架構|机制|機制|模块|模組|中台|项目|項目"
_UNDERTAKING_ZH = re.compile(rf"(?P<before>[\u3400-\u9fff]{{2,10}}?)(?:{_HEADS_ZH})")
_CUT_ZH = re.compile(
    r"整改|优化|優化|升级|升級|重构|重構|搭建|建设|建設|改造|了解|瞭解|介绍|介紹|更新|调整|調整|讨论|討論|关于|關於|完善|设计|設計|开发|開發"
    r"|使用|采用|採用|上线|上線|迁移|遷移|一套|一下|公司|负责|負責|有关|有關|什么|什麼|哪些|怎么|怎麼|如何|刚才|剛才|上周|下周|今天|明天|昨天|整个|整個"
    r"|[的了着过過要把给給对對和与與跟及个個们們你我他她它这這那是在有做想说說问問讲講谈談看将將被让讓请請为為从從到向就都也还還又再先该該套新旧舊老]"
)
_LONGEST_ABOUT_ZH = 4
_UNDERTAKING_EN = re.compile(
    r"\b(?P<about>[A-Za-z][a-z-]{2,})\s+(?:system|platform|policy|policies|scheme|pipeline|architecture|workflow|module|programme)s?\b"
)
_SAME_STEM = 5


def names_in_text(text: str) -> dict[str, set[str]]:
    """Every gated name of a text by kind."""
    found: dict[str, set[str]] = {}
    for mention in named_in(text):
        kind, name = kind_of(mention.context), name_of(mention.context)
        if kind in GATED_KINDS and _is_name(name, text[mention.start : mention.end]):
            found.setdefault(kind, set()).add(name_key(name))
    for kind, pattern in (("product", _PRODUCT), ("project", _PROJECT), ("person", _PERSON)):
        for match in pattern.finditer(text):
            name = name_key(next(value for value in match.groupdict().values() if value))
            if name not in _NO_NAME and not (name.isdigit() and len(name) < 3):
                found.setdefault(kind, set()).add(name)
    if about := set(_undertakings(text)):
        found.setdefault("project", set()).update(about)
    return found


def _is_name(name: str, told: str) -> bool:
    """Not 'in case I', and not 'order 2 pizzas': a short bare number counts only beside its sign."""
    if name == "I":
        return False
    return not (
        name.isdigit() and len(name) < 3 and told.isascii() and "#" not in told and "no" not in told.lower()
    )


def _undertakings(text: str) -> Iterable[str]:
    for match in _UNDERTAKING_ZH.finditer(text):
        about = _CUT_ZH.split(match["before"])[-1][-_LONGEST_ABOUT_ZH:]
        if len(about) > 1:
            yield name_key(about)
    for match in _UNDERTAKING_EN.finditer(text):
        about = match["about"].lower()
        if about not in _NO_NAME:
            yield about


def is_same(name: str, other: str) -> bool:
    """Whether two names of one kind may mean one thing: equal, one within the other, or words of one stem."""
    if name == other:
        return True
    if any(map(str.isdigit, name + other)):
        return False
    shorter, longer = sorted((name, other), key=len)
    return (len(shorter) > 1 and shorter in longer) or (
        shorter.isascii() and len(shorter) >= _SAME_STEM and shorter[:_SAME_STEM] == longer[:_SAME_STEM]
    )


def frozen(names: Mapping[str, set[str]]) -> dict[str, frozenset[str]]:
    """The names of the kinds that have any."""
    return {kind: frozenset(own) for kind, own in names.items() if own}
