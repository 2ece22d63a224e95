"""A turn that holds a whole exchange ('user: …', 'assistant: …'): only what the owner said in it is read."""

from __future__ import annotations

import re

_LABEL = re.compile(
    r"^[ \t>*-]{0,8}(?:(?P<owner>user|human|customer|client|me|用户|用戶|客户|客戶|顾客|顧客|我)|"
    r"(?P<other>assistant|ai|bot|agent|chatgpt|gpt|claude|system|developer|tool(?: output| result)?|function|"
    r"助手|助理|客服|机器人|機器人|系统|系統|工具))\*{0,2}[ \t]{0,2}[:：]",
    re.IGNORECASE | re.MULTILINE,
)


def only_the_owner(text: str) -> str:
    """`text` with other speakers and all labels blanked, same length; unchanged when no line carries a label."""
    labels = list(_LABEL.finditer(text))
    if not labels:
        return text
    kept = [text[: labels[0].start()]]
    for label, following in zip(labels, [*labels[1:], None], strict=True):
        end = following.start() if following else len(text)
        kept.append(" " * (label.end() - label.start()))
        said = text[label.end() : end]
        kept.append(said if label["owner"] else _blank(said))
    return "".join(kept)


def _blank(text: str) -> str:
    """Blanks of the same length; line ends stay, so that sentences before and after do not run together."""
    return re.sub(r"[^\n]", " ", text)
