"""A procedure: what it is for, what calls for it, and its steps in order. Checked when it is made; pure.

It is called for by the name of a task, by a literal phrase or by a pattern (RE2, so that no pattern can be slow). All are looked
for without case, in simplified characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

import re2

from memoryhub.exceptions import InvalidInput
from memoryhub.language.simplified import simplified
from memoryhub.language.text import clean, find_text_fault, language_of

MOST_STEPS, LONGEST_STEP = 50, 500
LONGEST_TITLE = 200
MOST_TASKS, LONGEST_TASK = 20, 100
MOST_PHRASES, LONGEST_PHRASE = 20, 200
MOST_PATTERNS, LONGEST_PATTERN = 10, 200
_LIMITS = {
    "tasks": (MOST_TASKS, LONGEST_TASK),
    "phrases": (MOST_PHRASES, LONGEST_PHRASE),
    "patterns": (MOST_PATTERNS, LONGEST_PATTERN),
    "steps": (MOST_STEPS, LONGEST_STEP),
}
SHORTEST_PHRASE = 2
_WHEN = {"zh": "适用", "en": "When"}
_TOLD = {"zh": "流程“{title}”：{steps}", "en": "Procedure “{title}”: {steps}"}
_CJK = re2.compile(r"[\x{3400}-\x{9fff}]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Procedure:
    title: str
    steps: tuple[str, ...]
    tasks: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()

    @property
    def content(self) -> str:
        """The whole of it as text, with what calls for it: what people read and decide about."""
        language = language_of(self.title)
        triggers = [*self.tasks, *self.phrases, *(f"/{pattern}/" for pattern in self.patterns)]
        steps = (f"{number}. {step}" for number, step in enumerate(self.steps, start=1))
        return "\n".join([self.title, f"{_WHEN[language]}: {' · '.join(triggers)}", *steps])

    def told(self, language: str) -> str:
        """As an agent is told it: the title, then every step with its number."""
        steps = " ".join(f"{number}. {step}" for number, step in enumerate(self.steps, start=1))
        return _TOLD[language].format(title=self.title, steps=steps)

    def as_json(self) -> dict[str, Any]:
        return {
            name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()
        }

    def called_for(self, text: str, tasks: Iterable[str] = ()) -> str:
        """What in a question or among the tasks at hand calls for it, or ''. Both may be as they were said."""
        spoken = folded(text)
        at_hand = {folded(task) for task in tasks}
        for task in self.tasks:
            wanted = folded(task)
            if wanted in at_hand or any(_names(each, wanted) for each in at_hand) or _names(spoken, wanted):
                return task
        for phrase in self.phrases:
            if _names(spoken, folded(phrase)):
                return phrase
        for pattern in self.patterns:
            if spoken and (found := _compiled(pattern).search(spoken)):
                return str(found[0])
        return ""


def folded(text: str) -> str:
    """As triggers and questions are compared: cleaned, without case, simplified."""
    return simplified(clean(text).casefold()).strip()


def _names(text: str, wanted: str) -> bool:
    """Whether a folded text holds the words: anywhere for Chinese ones, as whole words for others."""
    if not wanted or wanted not in text:
        return False
    if _CJK.search(wanted):
        return True
    return bool(_word(wanted).search(text))


@lru_cache(maxsize=2_000)
def _word(words: str) -> Any:
    return re2.compile(rf"(?:^|[^a-z0-9]){re2.escape(words)}(?:$|[^a-z0-9])")


@lru_cache(maxsize=2_000)
def _compiled(pattern: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = False
    options.max_mem = 1 << 20
    return re2.compile(pattern, options)


def procedure_from(stored: dict[str, Any]) -> Procedure:
    """What `as_json` wrote down."""
    return Procedure(
        title=stored["title"],
        **{name: tuple(stored.get(name, ())) for name in ("steps", "tasks", "phrases", "patterns")},
    )


def checked(procedure: Procedure) -> Procedure:
    """The procedure, its texts without spaces at their ends. Raises InvalidInput naming the place and the rule."""
    title = procedure.title.strip()
    _check_text(title, "procedure.title", LONGEST_TITLE)
    parts: dict[str, tuple[str, ...]] = {}
    for name, (most, longest) in _LIMITS.items():
        values: Sequence[str] = getattr(procedure, name)
        if len(values) > most:
            raise InvalidInput(f"{name}: at most {most}", field=f"procedure.{name}", code="too_many")
        for index, value in enumerate(values):
            _check_text(value, f"procedure.{name}[{index}]", longest)
        parts[name] = tuple(value.strip() for value in values)
        if len(set(map(folded, parts[name]))) < len(parts[name]) and name != "steps":
            raise InvalidInput(f"{name}: the same twice", field=f"procedure.{name}", code="duplicate")
    if not parts["steps"]:
        raise InvalidInput("at least one step", field="procedure.steps", code="blank")
    if not (parts["tasks"] or parts["phrases"] or parts["patterns"]):
        raise InvalidInput(
            "what calls for it: a task, a phrase or a pattern", field="procedure.tasks", code="no_trigger"
        )
    for name in ("tasks", "phrases"):
        for index, value in enumerate(parts[name]):
            if len(value) < SHORTEST_PHRASE:
                raise InvalidInput(
                    f"at least {SHORTEST_PHRASE} characters",
                    field=f"procedure.{name}[{index}]",
                    code="too_short",
                )
    for index, pattern in enumerate(parts["patterns"]):
        _check_pattern(pattern, f"procedure.patterns[{index}]")
    return Procedure(title=title, **parts)


def _check_text(value: Any, field: str, longest: int) -> None:
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput("must not be blank", field=field, code="blank")
    if fault := find_text_fault(value, field=field, max_length=longest):
        raise InvalidInput(fault.code.replace("_", " "), field=field, code=fault.code)


def _check_pattern(pattern: str, field: str) -> None:
    """A pattern must be one of RE2, and not be found in a text that has nothing to do with it."""
    try:
        compiled = _compiled(pattern)
    except re2.error:
        raise InvalidInput("not a pattern of RE2", field=field, code="bad_pattern") from None
    if any(compiled.search(text) for text in ("", "q", "天", "7", " ")):
        raise InvalidInput("matches nearly everything", field=field, code="matches_everything")
