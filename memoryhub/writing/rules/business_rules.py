"""Rules of the house: 任何推荐都不能包含坚果成分, 'never recommend anything with nuts'. A person decides on each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.writing.rules.statement import Found, Statement, field_found

_RULE_ZH = re.compile(
    r"(?:(?:规则|規則|规定|規定|制度|政策|要求|红线|注意)(?:是|[：:])\s*(?P<stated>[^。！!？?\n]{4,80}))|"
    r"(?P<scope>(?:任何|所有|全部|一切|凡是?|每[一个次笔张位])[^，,。！!？?\n]{1,24}?)[，,]?(?P<modal>(?:都|均|一律|必须|必須|全部|也|皆)*(?:不能|不得|不可以?|不允许|不允許|不许|不許|禁止|严禁|必须|必須|须|須|不准|不應|不应|只能|要先|应当|應當|一律))(?P<what>[^。！!？?\n]{1,40})|"
    r"(?P<ban>(?:禁止|严禁|嚴禁|不得|一律不得|一律不准|一律不许|绝对不能|绝不能|不允许)(?P<banned>[^，,。！!？?\n]{2,30}))"
)
_RULE_EN = re.compile(
    r"(?:\b(?:house\s+|company\s+|business\s+|our\s+|new\s+|the\s+)?(?:rule|policy)\s*(?:is(?:\s+that)?|:)\s*(?P<stated>[^.!?\n]{6,160}))|"
    r"(?:\b(?P<scope>(?:all|any|every|each|no)\s+(?!one\b|thing\b|of\b)[a-z][\w ]{2,30}?)\s+(?P<modal>must(?:\s+not|\s+never)?|may(?:\s+not)?|cannot|can\s+not|shall(?:\s+not)?|should\s+never|are\s+not\s+allowed\s+to|is\s+not\s+allowed\s+to)\s+(?P<what>(?:ever\s+)?[a-z][^.!?\n]{3,100}))|"
    r"(?:\b(?P<never>never)\s+(?P<act>recommend|offer|sell|promise|share|mention|suggest|serve)\s+(?P<what2>(?:anything|any|a\s+product|products|items|dishes|food)\b[^.!?\n]{4,80}))",
    re.IGNORECASE,
)
_NO_RULE_EN = re.compile(
    r"^(?:all\s+(?:i|you|we|my)|no\s+(?:matter|way|wonder|doubt)|any\s+(?:day|time|way|idea|chance)|every\s+(?:day|time|\w+day|morning|night|week|year|person|one)|each\s+(?:day|time))\b",
    re.IGNORECASE,
)
# What an owner says of everybody ('all kids must have fun') is a rule only when it is about the service or the work.
_OF_THE_HOUSE = re.compile(
    r"推荐|推薦|回复|回覆|答复|承诺|承諾|销售|透露|泄露|提供|客户|客戶|顾客|顧客|订单|訂單|退款|折扣|优惠|报价|合同|发票|发布|上线|部署|代码|审批|付款|价格|成分|产品|產品|文档|数据|权限|合并|员工|"
    r"\b(?:recommend\w*|suggestions?|repl(?:y|ies)|answers?|responses?|orders?|refunds?|discounts?|customers?|clients?|prices?|invoices?|payments?|contracts?|offers?|deploy\w*|release[sd]?|commits?|merge\w*|pull\s+requests?|code|approv\w+|documents?|data|products?|dishes|menus?|staff|employees|tickets?|quotes?)\b",
    re.IGNORECASE,
)
_CORE_ZH = re.compile(
    r"(?:包含|含有|含|推荐|推薦|使用|出现|出現|涉及|提及|透露|泄露|超过|超過|提供|承诺|承諾|收取)(?:任何|有)?(?P<core>(?!都|不|也|一律|必须|必須|均)[\u4e00-\u9fffA-Za-z0-9]{1,16})"
)
_CORE_EN = re.compile(
    r"\b(?:contain(?:ing)?|include|with|without|recommend|mention|share|exceed|promise|offer|sell|use|serve|made\s+of)\s+(?:any(?:thing)?\s+(?:with\s+|containing\s+)?)?(?P<core>[\w][\w -]{1,40})",
    re.IGNORECASE,
)


def find(statement: Statement) -> Iterator[Found]:
    """Yield the rule in the words it was given in, under a key made of what it forbids or demands."""
    for pattern in (_RULE_ZH, _RULE_EN):
        match = pattern.search(statement.text)
        if not match or (match["scope"] and _NO_RULE_EN.match(match["scope"])):
            continue
        groups = match.groupdict()
        rule = (groups.get("stated") or match[0]).strip(" ，,。.;；")
        if statement.role != "staff" and not groups.get("stated") and not _OF_THE_HOUSE.search(rule):
            continue
        if len(rule) >= 4:
            yield field_found(
                "business_rule", "rule", rule, match.span(), subject=rule_key(rule), confidence=0.9
            )
            return


def rule_key(rule: str) -> str:
    """坚果成分 of 任何推荐都不能包含坚果成分: what the rule is about, at most 40 characters."""
    for pattern in (_CORE_EN if rule.isascii() else _CORE_ZH, _CORE_EN):
        if match := pattern.search(rule):
            return re.sub(r"\s+(?:to|for|in|at)\s.*$", "", match["core"].strip().lower())[:40]
    return rule.lower()[:40]
