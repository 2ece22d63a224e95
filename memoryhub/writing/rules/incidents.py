"""Something is broken and somebody asks to have it repaired: one form per ticket, '' until the pipeline gives a number."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.writing.rules.orders import CODE
from memoryhub.writing.rules.statement import Found, Statement, field_found

_FAULT_ZH = r"(?:坏了|壞了|坏掉了|壞掉了|不能用了?|用不了了?|打不开了?|打不開|开不了机?了?|開不了|没反应了?|沒反應|不工作了?|没(?:有)?(?:画面|声音|信号|电|网络|网|热水|水|图像|反应)了?|沒(?:有)?(?:畫面|聲音|訊號|電|反應)了?|无法(?:启动|开机|连接|打印|使用|投影)|不亮了?|不转了?|漏水了?|漏电了?|黑屏了?|死机了?|卡纸了?|卡紙|出故障了?|故障了?|有问题|連不上了?|连不上了?|断网了?|坏|不制冷了?|堵了|停电了?|报警了?|裂了|松了)"
_FAULT_EN = r"(?:is|are|has|have|keeps?|won['’]?t|will\s+not|does\s+not|doesn['’]?t|stopped|does|went|just|been|again|\s)+\s*(?:broken|down|not\s+working|out\s+of\s+order|turn\s+on|start|work|working|leaking|stuck|jammed|dead|faulty|crashing|crashed|offline|flickering|overheating|damaged|blocked|boot|connect|print|cool|charge|broke\s+down)"
_BROKEN_ZH = re.compile(
    rf"(?:^|[，,。：:]|我们|我們|我的?|这边|帮忙看下|麻烦|你好|您好)(?P<device>[\u4e00-\u9fffA-Za-z0-9０-９#\-]{{2,24}}?)(?:又|已经|已經|突然|好像|今天|昨天|刚刚?|现在|早上|完全|老是|总是|都|也|它)*(?P<fault>{_FAULT_ZH})"
)
_BROKEN_EN = re.compile(
    rf"\b(?:the|our|my|a)\s+(?P<device>[a-z][\w -]{{2,50}}?)\s+{_FAULT_EN}\b", re.IGNORECASE
)
_REQUEST = re.compile(
    r"报修|報修|维修|維修|修一下|修理|来修|派人|派个人|派师傅|派工|来看看|来处理|处理一下|帮忙修|帮我修|工单|工單|叫人|上门|"
    r"\b(?:please\s+(?:fix|repair|send|report|look\s+into|log|open|file|get)|(?:can|could)\s+(?:you|someone|somebody)\s+(?:please\s+)?(?:fix|repair|send|come|look|report|open|log|file)|needs?\s+(?:to\s+be\s+)?(?:fixed|fixing|repair(?:ed|ing)?|a\s+technician|maintenance)|(?:file|open|raise|log|create)\s+(?:a|an|the)\s+(?:ticket|incident|repair|report)|send\s+(?:a|an|someone)|report\s+it|ticket)\b",
    re.IGNORECASE,
)
_TICKET = re.compile(
    rf"(?:工单|工單|报修单|報修單|单号|單號|报修|ticket|incident|case)(?:号码?|號碼?|编号|number|no\.?|id)?\s*(?:是|为|為|：|:|is|#)?\s*#?(?P<code>(?=[\w-]*\d){CODE})",
    re.IGNORECASE,
)
_SOLVED = re.compile(
    r"修好了|修好|已修复|已修復|解决了|解決了|恢复了|恢复正常|可以用了|处理好了|\b(?:is|are|has\s+been|was|got|been)\s+(?:now\s+)?(?:fixed|repaired|solved|resolved|closed)|\bworks\s+again\b",
    re.IGNORECASE,
)
_DEVICES_ZH = r"(?:投影仪|投影機|打印机|印表機|复印机|空调|冷氣|电脑|電腦|电梯|電梯|门禁|路由器|显示器|屏幕|话筒|麦克风|音响|饮水机|咖啡机|冰箱|洗衣机|热水器|灯|门|锁|水管|马桶|网络|电话|摄像头|设备|机器|键盘|鼠标|服务器|插座|窗户)"
# 'please fix the printer', 报修三号会议室的投影仪: the request itself names the device.
_ORDERED = re.compile(
    rf"(?:报修|報修|维修|維修|修一下|修理|修)(?:一下)?(?P<device>[\u4e00-\u9fffA-Za-z0-9０-９]{{0,12}}?{_DEVICES_ZH})(?=[，,。.！!；;吧吗]|$)"
    r"|\b(?:fix|repair|look\s+at|replace)\s+(?:the|our|my)\s+(?P<device2>(?:broken\s+)?[a-z][\w -]{2,40}?)(?=\s*(?:[.,!?;]|$|\bplease\b|\bbecause\b))",
    re.IGNORECASE,
)
_NO_DEVICE = re.compile(
    r"^(?:我|心情|身体|脑子|天气|人|什么|这个|那个|它|东西|吃|肚子|眼睛|车子?被|关系|运气|名声|心态|情况|但|因为)$|\b(?:mood|heart|life|day|relationship|body|leg|back|world|system\s+of|marriage|friend|kid|dog|cat|code|bug|problem|issue|error|typo|mistake|date|price|meeting|text|document|report|link|test|build)\b",
    re.IGNORECASE,
)
_LEAD_ZH = re.compile(
    r"^(?:我们|我們|我|这边|這邊|咱们|公司|的|你好|您好|请问|麻烦|帮忙|那个|这个|今天|昨天|刚才|刚刚|早上)+"
)


def find(statement: Statement) -> Iterator[Found]:
    """Yield a new incident, or the solution of one whose ticket is named."""
    text = statement.text
    ticket = _TICKET.search(text)
    code = ticket["code"] if ticket else ""
    if ticket and _SOLVED.search(text):
        yield from _solved(statement, code, ticket)
        return
    requested = bool(code or _REQUEST.search(statement.turn_text or text))
    broken = _BROKEN_ZH.search(text) or _BROKEN_EN.search(text) or _ORDERED.search(text)
    if not broken or not requested:
        return
    device = _LEAD_ZH.sub("", broken["device"] or broken.groupdict().get("device2") or "").strip(" 的")
    if len(device) < 2 or _NO_DEVICE.search(device):
        return
    span = broken.span()
    problem = broken[0].strip("，,。：: ")
    problem = _LEAD_ZH.sub("", problem) if statement.chinese else problem
    yield field_found("incident", "subject", problem, span, subject=code)
    yield field_found("incident", "device", device, span, subject=code)
    yield field_found("incident", "status", "open", span, subject=code)
    yield field_found("incident", "opened_at", statement.occurred_at.isoformat(), span, subject=code)


def _solved(statement: Statement, code: str, ticket: re.Match[str]) -> Iterator[Found]:
    yield field_found("incident", "status", "solved", ticket.span(), subject=code, explicit_correction=True)
    yield field_found("incident", "solved_at", statement.occurred_at.isoformat(), ticket.span(), subject=code)
