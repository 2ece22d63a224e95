"""Something is broken and somebody asks to have it repaired: one form per ticket, '' until the pipeline gives a number."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.orders import CODE
from memoryhub.writing.rules.statement import Found, Statement, field_found

_FAULT_ZH = r"(?:[开刷打连进转动响亮出充关锁启点认读扫]不(?:开|動|动|了|亮|响|出|上|着|灵|进|来|掉)了?|失灵了?|有异响|花屏了?|蓝屏了?|掉线|卡住了?|进水了?|不出水了?|不制热了?|冒烟了?|烧了|报错|坏了|壞了|坏掉了|壞掉了|不能用了?|用不了了?|打不开了?|打不開|开不了机?了?|開不了|没反应了?|沒反應|罢工了?|短路了?|跳闸了?|异响|漏气了?|失效了?|断网|断了|断电了?|停了|停转了?|关不上|打不着火|总是重启|自动关机|闪退|闪屏了?|发烫|过热|异味|失控|脱落了?|掉了|生锈了?|碎了|爆了|漏墨了?|缺墨|没墨了?|缺纸|没水了?|不通了?|不排水|不加热了?|不出纸|不响了?|不制冰|不吸水|坏灯|漏水|漏油|漏电|卡顿|宕机了?|崩溃了?|出问题了?|出毛病了?|有毛病|不工作了?|没(?:有)?(?:画面|声音|信号|电|网络|网|热水|水|图像|反应)了?|沒(?:有)?(?:畫面|聲音|訊號|讯号|電|反應)了?|无法(?:启动|开机|连接|打印|使用|投影)|不亮了?|不转了?|漏水了?|漏电了?|黑屏了?|死机了?|卡纸了?|卡紙|出故障了?|故障了?|有问题|連不上了?|连不上了?|断网了?|坏|不制冷了?|堵了|停电了?|报警了?|裂了|松了)"
_FAULT_EN = r"(?:isn['’]t|aren['’]t|is|are|has|have|keeps?|won['’]?t|will\s+not|does\s+not|doesn['’]?t|stopped|does|went|just|been|again|\s)+\s*(?:broken|down|(?:not\s+)?working\s+(?:properly|any\s?more|again)|(?<=n['’]t\s)working|not\s+working|out\s+of\s+order|turn\s+on|start|work|working|leaking|stuck|jammed|dead|faulty|crashing|crashed|offline|flickering|overheating|damaged|blocked|clogged|dripping|making\s+(?:a|an|strange|weird|loud)\s*\w*\s*noises?|smoking|sparking|frozen|unresponsive|cracked|ripped|tripping|shut(?:ting)?\s+(?:off|down)|close|open|lock|unlock|flush|drain|heat(?:\s+up)?|scan|respond|power\s+on|switch\s+on|dropping|losing\s+\w+|boot|connect|print|cool|charge|broke\s+down)"
_BROKEN_ZH = lazy_pattern(
    rf"(?:^|[，,。：:]|我们|我們|我的?|这边|帮忙看下|麻烦|你好|您好)(?P<device>[\u4e00-\u9fffA-Za-z0-9０-９#\-]{{2,24}}?)(?:又|已经|已經|突然|好像|今天|昨天|刚刚?|现在|早上|完全|老是|总是|都|也|它)*(?P<fault>{_FAULT_ZH})"
)
_BROKEN_EN = lazy_pattern(
    rf"\b(?:the|our|my|a)\s+(?P<device>[a-z][\w -]{{2,50}}?)\s+{_FAULT_EN}\b", re.IGNORECASE
)
_REQUEST = lazy_pattern(
    r"报修|報修|报个修|报一下修|维修|維修|修一下|修理|来修|派人|派个人|派师傅|派工|来看看|来处理|处理一下|帮忙修|帮我修|工单|工單|叫人|叫个人|找人|上门|"
    r"\b(?:please\s+(?:fix|repair|send|report|look\s+into|log|open|file|get)|(?:can|could)\s+(?:you|someone|somebody)\s+(?:please\s+)?(?:fix|repair|send|come|look|report|open|log|file)|(?:i|we)\s+need\s+(?:a\s+)?(?:repair|technician|someone)|needs?\s+(?:to\s+be\s+)?(?:fixed|fixing|repair(?:ed|ing)?|a\s+technician|maintenance)|(?:file|open|raise|log|create)\s+(?:a|an|the)\s+(?:ticket|incident|repair|report)|send\s+(?:a|an|someone|maintenance|somebody)|(?:take|have)\s+a\s+look|report\s+(?:it|this|that|(?:an?|the)\s+(?:\w+\s+)?(?:problem|fault|issue|defect|breakage|malfunction|outage|incident))|(?:want|need|like)\s+to\s+report|ticket|call\s+(?:maintenance|a\s+technician|it\b|facilities|an?\s+electrician|a\s+plumber|support)|maintenance)\b",
    re.IGNORECASE,
)
_TICKET = lazy_pattern(
    rf"(?:工单|工單|报修单|報修單|单号|單號|报修|ticket|incident|case)(?:号码?|號碼?|编号|number|no\.?|id)?\s*(?:是|为|為|：|:|is|#)?\s*#?(?P<code>(?=[\w-]*\d)(?:{CODE}|[A-Za-z]{{1,3}}-?\d{{1,8}}|\d{{2,12}}))|(?P<code3>\d{{2,12}})\s*号?(?:工单|報修單|报修单)|\b(?P<code2>(?:INC|WO|WX|IT|REQ|SR|CASE|TKT|HD|BX|GD|BUG|TASK)(?:-\d{{1,8}}|\d{{2,8}}))(?![A-Za-z0-9-])",
    re.IGNORECASE,
)
_SOLVED = lazy_pattern(
    r"(?:修好|修复|修復|搞定|处理好|处理完|处理完成|已?解决|办结|完结|关单|结单|弄好|恢复正常|换好|维修完成)(?:了|的|完|完毕|，|,|$)|(?:工单|报修单)(?:已经?|被)?(?:关闭|关了|结了)|已(?:修复|解决|处理|关闭|完成)|恢复了|可以用了|"
    r"\b(?:fixed|repaired|solved|resolved|closed|sorted(?:\s+out)?|taken\s+care\s+of)\b(?!\s+(?:by\s+tomorrow|soon))|\bworks?\s+(?:fine\s+)?again\b|\b(?:is|['’]s)\s+(?:all\s+)?done\b",
    re.IGNORECASE,
)
_UNSOLVED = lazy_pattern(
    r"(?:还|還|仍|依然|一直|到现在|至今|都)*(?:没有?|未|尚未)(?:人|师傅|谁)?(?:来|去)?(?:处理|解决|修|派|接|管|动|回|弄|安排|关|响应|跟进)|没人|无人|待处理|未处理|未解决|挂着|搁着|处理中|"
    r"\bstill\s+(?:open|pending|unresolved|unsolved|broken|waiting|not|in\s+the\s+queue)\b|\b(?:nobody|no\s+one|no-one)\b|(?:\bnot|n['’]t|\bnever)\s+(?:\w+\s+){0,2}(?:fixed|repaired|solved|resolved|closed|looked|handled|assigned|touched|dispatched|dealt|picked\s+up)|\bunresolved\b|\bremains?\s+open\b|\bis\s+(?:currently\s+)?(?:open|pending)\b|\bopen\s+(?:since|for)\b",
    re.IGNORECASE,
)
_AS_TOLD = lazy_pattern(
    r"(?:(?:fix|resolution|solution|outcome|result)(?:\s+(?:for|of)\s+[\w# -]{2,20}?)?\s*(?:was|is|:)|(?:resolved|solved|fixed|repaired|closed)\s+by|by(?=\s+(?:replac|restart|reboot|reinstall|swapp|clean|tighten|chang|updat|patch|bleed|reset|refill)\w+ing?))\s+(?P<en>[^.!?;,\n]{3,80})|"
    r"(?:处理结果|处理方式|解决方案|解决办法|维修结果|结果|处理)(?:是|为|：|:)\s*(?P<zh>[^，,。！!？?；;\n]{2,40})|(?:通过|靠)(?P<zh2>(?:更换|换|重启|重装|清理|调整|升级|维修|加)[^，,。！!？?；;\n]{1,30}?)(?:之后|后)?(?:就)?(?:解决|修好|恢复|搞定|处理好)",
    re.IGNORECASE,
)
_OPENED = lazy_pattern(
    r"\b(?:opened|reported|logged|filed|raised|created|submitted|lodged)\b|报修(?!单|时间是?不)|报的|提交|上报|登记|创建|提的|开的单|发起",
    re.IGNORECASE,
)
_DISPATCHED = lazy_pattern(
    r"派(?:了)?单|已派|派出|派了?(?:师傅|人|工程师|技术员|维修)|师傅(?:已经)?(?:在路上|出发|上路|正赶)|(?:已经?|都)?安排(?:了|好)?(?:师傅|人|工程师|技术员|维修)|分配给|指派|转给了|"
    r"\b(?:dispatched|sent\s+out|on\s+(?:his|her|the|their|its)\s+way|(?:been\s+|was\s+|is\s+|got\s+)?assigned(?:\s+to)?|(?:technician|engineer|plumber|electrician|someone|somebody)\s+(?:is|was|has\s+been)\s+(?:sent|coming|booked|scheduled|assigned|on))\b",
    re.IGNORECASE,
)
_SUBJECT_NAMED = lazy_pattern(
    r"(?:事由|主题|问题|故障|现象|内容|情况|原因)(?:就?是|为|：|:)\s*([^，,。！!？?；;\n]{2,40})|\b(?:is|was)\s+(?:about|for|regarding|because\s+of)\s+([^.!?;,\n]{4,80})|\b(?:subject|issue|problem|fault|title)\s*(?:is(?:\s+that)?|:|=)\s*([^.!?;,\n]{4,80})",
    re.IGNORECASE,
)
_DEVICE_NAMED = lazy_pattern(
    r"(?:设备|机器|装置|器材)(?:名称|型号)?(?:就?是|为|：|:)\s*([^，,。！!？?；;\n]{2,24})|(?:^|[，,。])([\u4e00-\u9fff0-9]{2,12}?)(?:的|那个|那张|这个)(?:工单|报修单)|\bdevice\s*(?:is|was|:|=)\s*(?:an?\s+|the\s+|our\s+)?([^.!?;,\n]{3,40})|\bticket\s+(?:[\w#-]+\s+)?for\s+(?:the|our)\s+([a-z][\w -]{2,30}?)(?=\s*(?:[.,;!]|$|was|is|has|got))",
    re.IGNORECASE,
)
_HOW_SOLVED = lazy_pattern(
    r"(?:[，,；;]|\s-\s)\s*(?P<how>(?:(?:是|我们|他们|师傅|工程师|the\s+technician|the\s+\w+|someone|somebody|they|we|i|he|she)?\s*(?:just\s+|had\s+to\s+)?(?:把|给|又|重新|布|装|焊|拆|紧|替换|调换|重启|换|更换|加|补|疏通|调|升级|更新|拧|接|插|刷|重装|清理|修|拔|调整|replaced|restarted|rebooted|reinstalled|swapped|cleaned|tightened|changed|fixed|updated|patched|reset|refilled|rewired|bled|unclogged|cleared|reseated|upgraded|installed|added|plugged|adjusted)).{2,60}?)(?=[。.！!]|$)",
    re.IGNORECASE,
)
_DEVICES_ZH = r"(?:投影仪|投影機|投影机|打印机|印表機|印表机|复印机|空调|冷氣|冷气|电脑|電腦|电梯|電梯|门禁|路由器|显示器|屏幕|话筒|麦克风|音响|饮水机|咖啡机|冰箱|洗衣机|热水器|灯|门|锁|水管|马桶|网络|电话|摄像头|设备|机器|键盘|鼠标|服务器|插座|窗户)"
# 'please fix the printer', 报修三号会议室的投影仪: the request itself names the device.
_ORDERED = lazy_pattern(
    rf"(?:报修|報修|维修|維修|修一下|修理|修)(?:一下)?(?P<device>[\u4e00-\u9fffA-Za-z0-9０-９]{{0,12}}?{_DEVICES_ZH})(?=[，,。.！!；;吧吗]|$)"
    r"|\b(?:fix|repair|look\s+at|replace)\s+(?:the|our|my)\s+(?P<device2>(?:broken\s+)?[a-z][\w -]{2,40}?)(?=\s*(?:[.,!?;]|$|\bplease\b|\bbecause\b))",
    re.IGNORECASE,
)
_NO_DEVICE = lazy_pattern(
    r"^(?:我|心情|身体|脑子|天气|人|什么|这个|那个|它|东西|吃|肚子|眼睛|车子?被|关系|运气|名声|心态|情况|但|因为)$|\b(?:mood|heart|life|day|relationship|body|leg|back|world|system\s+of|marriage|friend|kid|dog|cat|code|bug|problem|issue|error|typo|mistake|date|price|meeting|text|document|report|link|test|build)$",
    re.IGNORECASE,
)
_LEAD_ZH = lazy_pattern(
    r"^(?:我们|我們|我|这边|這邊|咱们|公司|的|你好|您好|请问|麻烦|帮忙|那个|这个|今天|昨天|刚才|刚刚|早上)+"
)


def find(statement: Statement) -> Iterator[Found]:
    """Yield what the sentence tells of an incident: a new one that is asked to be repaired, or one whose ticket is named."""
    text = statement.text
    ticket = _TICKET.search(text)
    code = next(group for group in ticket.groups() if group) if ticket else ""
    if not (code or _REQUEST.search(statement.turn_text or text)):
        return
    place = ticket.span() if ticket else (0, len(text))
    solved = bool(ticket and _SOLVED.search(text) and not _UNSOLVED.search(text))
    named = list(_named(statement, code)) or ([] if solved else list(_broken(statement, code)))
    yield from named
    if ticket is None:
        if named:
            yield field_found("incident", "status", "open", place, subject=code)
            when = _time_of(statement, _OPENED) or statement.occurred_at.isoformat()
            yield field_found("incident", "opened_at", when, place, subject=code)
        return
    yield from _progress(statement, code, place, solved=solved, described=bool(named))


def _progress(
    statement: Statement, code: str, place: tuple[int, int], *, solved: bool, described: bool
) -> Iterator[Found]:
    """Status, times and outcome of the incident with this ticket."""
    text = statement.text
    if opened := _time_of(statement, _OPENED):
        yield field_found("incident", "opened_at", opened, place, subject=code)
    if solved:
        yield field_found("incident", "status", "solved", place, subject=code, explicit_correction=True)
        yield from _outcome(text, code)
        when = _time_of(statement, _SOLVED) or statement.occurred_at.isoformat()
        yield field_found("incident", "solved_at", when, place, subject=code)
    elif told := _AS_TOLD.search(text):
        yield _resolution(told, code)
    elif _DISPATCHED.search(text) and not _UNSOLVED.search(text):
        yield field_found("incident", "status", "dispatched", place, subject=code, explicit_correction=True)
    elif _UNSOLVED.search(text):
        yield field_found("incident", "status", "open", place, subject=code)
    elif described and not opened:
        yield field_found("incident", "status", "open", place, subject=code)
        yield field_found("incident", "opened_at", statement.occurred_at.isoformat(), place, subject=code)


def _named(statement: Statement, code: str) -> Iterator[Found]:
    """事由是办公室断网，设备是路由器; 'ticket 7 is about the leak'; 投影仪的工单."""
    text = statement.text
    if subject := _SUBJECT_NAMED.search(text):
        what = next(group for group in subject.groups() if group).strip()
        yield field_found("incident", "subject", what, subject.span(), subject=code)
    if device := _DEVICE_NAMED.search(text):
        what = next(group for group in device.groups() if group).strip()
        yield field_found("incident", "device", _LEAD_ZH.sub("", what), device.span(), subject=code)


def _broken(statement: Statement, code: str) -> Iterator[Found]:
    text = statement.text
    broken = _BROKEN_ZH.search(text) or _BROKEN_EN.search(text) or _ORDERED.search(text)
    if not broken:
        return
    device = _LEAD_ZH.sub("", broken["device"] or broken.groupdict().get("device2") or "").strip(" 的了")
    if len(device) < 2 or _NO_DEVICE.search(device):
        return
    problem = broken[0].strip("，,。：: ")
    problem = _LEAD_ZH.sub("", problem) if statement.chinese else problem
    yield field_found("incident", "subject", problem, broken.span(), subject=code)
    yield field_found("incident", "device", device, broken.span(), subject=code)


def _outcome(text: str, code: str) -> Iterator[Found]:
    if told := _AS_TOLD.search(text):
        yield _resolution(told, code)
    elif how := _HOW_SOLVED.search(text):
        yield field_found("incident", "resolution", how["how"].strip(), how.span(), subject=code)


def _resolution(told: re.Match[str], code: str) -> Found:
    how = next(group for group in told.groups() if group).strip()
    return field_found("incident", "resolution", how, told.span(), subject=code)


def _time_of(statement: Statement, what: re.Pattern[str]) -> str:
    """When it was opened or solved, as the sentence says: an instant, or a day; '' when it says nothing of it."""
    places = [match.span() for match in what.finditer(statement.text)]
    others = [
        match.span()
        for pattern in (_OPENED, _SOLVED)
        if pattern is not what
        for match in pattern.finditer(statement.text)
    ]
    times = [
        time
        for time in statement.past_times
        if time.start <= statement.occurred_at and time.kind in {"moment", "day", "part"}
    ]
    ours = [time for time in times if _nearest(time.span, places) < _nearest(time.span, others)]
    moment = next((time for time in ours if time.kind == "moment"), None)
    if moment:
        return moment.start.isoformat()
    return ours[0].day.isoformat() if ours else ""


def _nearest(span: tuple[int, int], places: list[tuple[int, int]]) -> float:
    """Characters between a time and the nearest of these words; infinite when there is none."""
    return min((max(start - span[1], span[0] - end) for start, end in places), default=float("inf"))
