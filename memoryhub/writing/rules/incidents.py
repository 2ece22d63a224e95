"""Something is broken and somebody asks to have it repaired: one form per ticket, '' until the pipeline gives a number."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.writing.rules.orders import CODE
from memoryhub.writing.rules.statement import Found, Statement, field_found

_FAULT_ZH = r"(?:[开刷打连进转动响亮出充关锁启点认读扫]不(?:开|動|动|了|亮|响|出|上|着|灵|进|来|掉)了?|失灵了?|有异响|花屏了?|蓝屏了?|掉线|卡住了?|进水了?|不出水了?|不制热了?|冒烟了?|烧了|报错|坏了|壞了|坏掉了|壞掉了|不能用了?|用不了了?|打不开了?|打不開|开不了机?了?|開不了|没反应了?|沒反應|不工作了?|没(?:有)?(?:画面|声音|信号|电|网络|网|热水|水|图像|反应)了?|沒(?:有)?(?:畫面|聲音|訊號|電|反應)了?|无法(?:启动|开机|连接|打印|使用|投影)|不亮了?|不转了?|漏水了?|漏电了?|黑屏了?|死机了?|卡纸了?|卡紙|出故障了?|故障了?|有问题|連不上了?|连不上了?|断网了?|坏|不制冷了?|堵了|停电了?|报警了?|裂了|松了)"
_FAULT_EN = r"(?:isn['’]t|aren['’]t|is|are|has|have|keeps?|won['’]?t|will\s+not|does\s+not|doesn['’]?t|stopped|does|went|just|been|again|\s)+\s*(?:broken|down|(?:not\s+)?working\s+(?:properly|any\s?more|again)|(?<=n['’]t\s)working|not\s+working|out\s+of\s+order|turn\s+on|start|work|working|leaking|stuck|jammed|dead|faulty|crashing|crashed|offline|flickering|overheating|damaged|blocked|boot|connect|print|cool|charge|broke\s+down)"
_BROKEN_ZH = re.compile(
    rf"(?:^|[，,。：:]|我们|我們|我的?|这边|帮忙看下|麻烦|你好|您好)(?P<device>[\u4e00-\u9fffA-Za-z0-9０-９#\-]{{2,24}}?)(?:又|已经|已經|突然|好像|今天|昨天|刚刚?|现在|早上|完全|老是|总是|都|也|它)*(?P<fault>{_FAULT_ZH})"
)
_BROKEN_EN = re.compile(
    rf"\b(?:the|our|my|a)\s+(?P<device>[a-z][\w -]{{2,50}}?)\s+{_FAULT_EN}\b", re.IGNORECASE
)
_REQUEST = re.compile(
    r"报修|報修|报个修|报一下修|维修|維修|修一下|修理|来修|派人|派个人|派师傅|派工|来看看|来处理|处理一下|帮忙修|帮我修|工单|工單|叫人|叫个人|找人|上门|"
    r"\b(?:please\s+(?:fix|repair|send|report|look\s+into|log|open|file|get)|(?:can|could)\s+(?:you|someone|somebody)\s+(?:please\s+)?(?:fix|repair|send|come|look|report|open|log|file)|(?:i|we)\s+need\s+(?:a\s+)?(?:repair|technician|someone)|needs?\s+(?:to\s+be\s+)?(?:fixed|fixing|repair(?:ed|ing)?|a\s+technician|maintenance)|(?:file|open|raise|log|create)\s+(?:a|an|the)\s+(?:ticket|incident|repair|report)|send\s+(?:a|an|someone|maintenance|somebody)|(?:take|have)\s+a\s+look|report\s+it|ticket|call\s+(?:maintenance|a\s+technician|it\b|facilities|an?\s+electrician|a\s+plumber|support)|maintenance)\b",
    re.IGNORECASE,
)
_TICKET = re.compile(
    rf"(?:工单|工單|报修单|報修單|单号|單號|报修|ticket|incident|case)(?:号码?|號碼?|编号|number|no\.?|id)?\s*(?:是|为|為|：|:|is|#)?\s*#?(?P<code>(?=[\w-]*\d)(?:{CODE}|[A-Za-z]{{1,3}}-?\d{{1,8}}|\d{{2,12}}))|(?P<code3>\d{{2,12}})\s*号?(?:工单|報修單|报修单)|\b(?P<code2>(?:INC|WO|WX|IT|REQ|SR|CASE|TKT|HD|BX|GD|BUG|TASK)-?\d{{2,8}})(?![A-Za-z0-9-])",
    re.IGNORECASE,
)
_SOLVED = re.compile(
    r"修好了|修好|已修复|已修復|已解决|已解決|已处理|已处理完|解决了|解決了|恢复了|恢复正常|可以用了|处理好了|\b(?:is|are|has\s+been|was|got|been)\s+(?:now\s+)?(?:fixed|repaired|solved|resolved|closed)|\bworks\s+again\b",
    re.IGNORECASE,
)
_AS_TOLD = re.compile(
    r"(?:(?:fix|resolution|solution|outcome|result)(?:\s+(?:for|of)\s+[\w# -]{2,20}?)?\s*(?:was|is|:)|(?:resolved|solved|fixed|repaired|closed)\s+by|by(?=\s+(?:replac|restart|reboot|reinstall|swapp|clean|tighten|chang|updat|patch|bleed|reset|refill)\w+ing?))\s+(?P<en>[^.!?;,\n]{3,80})|"
    r"(?:处理结果|处理方式|解决方案|解决办法|维修结果|结果|处理)(?:是|为|：|:)\s*(?P<zh>[^，,。！!？?；;\n]{2,40})|(?:通过|靠)(?P<zh2>(?:更换|换|重启|重装|清理|调整|升级|维修|加)[^，,。！!？?；;\n]{1,30}?)(?:之后|后)?(?:就)?(?:解决|修好|恢复|搞定|处理好)",
    re.IGNORECASE,
)
_OPENED = re.compile(
    r"\b(?:opened|reported|logged|filed|raised|created)\s+(?:on|at|yesterday|last|this)|报修时间|提交于|是.{2,16}报的|报修的",
    re.IGNORECASE,
)
_DISPATCHED = re.compile(
    r"派单了?|派了?(?:师傅|人|工程师|技术员)|师傅(?:已经)?(?:在路上|出发)|已安排(?:师傅|人)|\b(?:dispatched|sent\s+out|on\s+(?:his|her|the|their)\s+way|assigned\s+to)\b",
    re.IGNORECASE,
)
_HOW_SOLVED = re.compile(
    r"(?:[，,；;]|\s-\s)\s*(?P<how>(?:(?:是|我们|他们|师傅|工程师|the\s+technician|they|we|i)?\s*(?:把|重启|换|更换|重装|清理|修|拔|调整|replaced|restarted|rebooted|reinstalled|swapped|cleaned|tightened|changed|fixed|updated|patched)).{2,60}?)(?=[。.！!]|$)",
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
    code = next(group for group in ticket.groups() if group) if ticket else ""
    if ticket and _SOLVED.search(text):
        yield from _solved(statement, code, ticket)
        return
    if ticket and (told := _AS_TOLD.search(text)):
        yield _resolution(told, code)
        return
    if ticket and _OPENED.search(text) and (opened := _time_told(statement)):
        yield field_found("incident", "opened_at", opened, ticket.span(), subject=code)
        return
    if ticket and _DISPATCHED.search(text):
        yield field_found(
            "incident", "status", "dispatched", ticket.span(), subject=code, explicit_correction=True
        )
        return
    requested = bool(code or _REQUEST.search(statement.turn_text or text))
    broken = _BROKEN_ZH.search(text) or _BROKEN_EN.search(text) or _ORDERED.search(text)
    if not broken or not requested:
        return
    device = _LEAD_ZH.sub("", broken["device"] or broken.groupdict().get("device2") or "").strip(" 的了")
    if len(device) < 2 or _NO_DEVICE.search(device):
        return
    span = broken.span()
    problem = broken[0].strip("，,。：: ")
    problem = _LEAD_ZH.sub("", problem) if statement.chinese else problem
    yield field_found("incident", "subject", problem, span, subject=code)
    yield field_found("incident", "device", device, span, subject=code)
    yield field_found("incident", "status", "open", span, subject=code)
    yield field_found(
        "incident",
        "opened_at",
        _time_told(statement) or statement.occurred_at.isoformat(),
        span,
        subject=code,
    )


def _solved(statement: Statement, code: str, ticket: re.Match[str]) -> Iterator[Found]:
    yield field_found("incident", "status", "solved", ticket.span(), subject=code, explicit_correction=True)
    if told := _AS_TOLD.search(statement.text):
        yield _resolution(told, code)
    elif how := _HOW_SOLVED.search(statement.text):
        yield field_found("incident", "resolution", how["how"].strip(), how.span(), subject=code)
    when = _time_told(statement) or statement.occurred_at.isoformat()
    yield field_found("incident", "solved_at", when, ticket.span(), subject=code)


def _resolution(told: re.Match[str], code: str) -> Found:
    how = next(group for group in told.groups() if group).strip()
    return field_found("incident", "resolution", how, told.span(), subject=code)


def _time_told(statement: Statement) -> str:
    """When it was, as the sentence says: an instant, or a day; '' when it says nothing."""
    times = [time for time in statement.past_times if time.start <= statement.occurred_at]
    moment = next((time for time in times if time.kind == "moment"), None)
    if moment:
        return moment.start.isoformat()
    day = next((time for time in times if time.kind in {"day", "part"}), None)
    return day.day.isoformat() if day else ""
