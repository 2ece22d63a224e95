"""Extraction by a model: turns go out in batches, candidates come back turn by turn.

Called outside any transaction. A provider that does not answer costs nobody an attempt (`ModelUnavailable`); an answer that is no
use is the turn's failure (`Failed`), to be tried again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from uuid import UUID
from zoneinfo import ZoneInfo

import structlog
from django.utils import timezone

from memoryhub.exceptions import ModelUnavailable
from memoryhub.language.breaker import may_ask, note_answer, note_failure
from memoryhub.language.chat import ChatAnswer, ChatClient, ChatUnavailable
from memoryhub.language.prompts import extraction_prompt
from memoryhub.language.prompts.extraction import PromptEvent, PromptField
from memoryhub.language.text import Language, language_of
from memoryhub.language.usage import Spent, add_usage
from memoryhub.writing.candidates import Extraction, Turn
from memoryhub.writing.extraction import extract, without_secrets
from memoryhub.writing.model_answers import Failed, read_answer, readable_text
from memoryhub.writing.read_by import model_version, rules_version
from memoryhub.writing.whitelist import Whitelist

BATCH_TURNS = 8
BATCH_CHARACTERS = 6_000
PURPOSE = "extraction"
_EARLIER_CHARACTERS = 500

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What became of one question: an answer, or why there is none."""

    answer: ChatAnswer | None
    problem: ChatUnavailable | None = None
    prompt: str = ""
    """The version of the prompt that was answered."""


def turns_at_once(client: ChatClient) -> int:
    """How many turns one round of questions can take."""
    return BATCH_TURNS * client.concurrency


def extract_many(
    turns: Sequence[Turn], *, fields: Whitelist, client: ChatClient, workspace_id: UUID
) -> list[Extraction | Failed]:
    """A result for each turn from the first on, as far as the provider answered; raises ModelUnavailable when it did not at all.

    Only the owner's own turns are sent; what else there is to read in others (a promise, a rule of the house) the rules read.
    """
    results: dict[int, Extraction | Failed] = {
        place: replace(extract(turn, fields=fields), read_by=rules_version())
        for place, turn in enumerate(turns)
        if turn.role != "user"
    }
    batches = list(_batches([place for place, turn in enumerate(turns) if turn.role == "user"], turns))
    if batches and not may_ask(client.name):
        raise ModelUnavailable(details={"reason": "paused"})
    problem = ""
    for batch, outcome in zip(batches, _ask_all(batches, turns, fields, client), strict=True):
        found = _results(outcome, [turns[place] for place in batch], fields)
        _account(outcome, found, client=client, workspace_id=workspace_id)
        reader = model_version(model=client.provider.model, prompt=outcome.prompt)
        results.update(zip(batch, [_signed(result, reader) for result in found], strict=False))
        problem = problem or (outcome.problem.code if outcome.problem else "")
    answered = next((place for place in range(len(turns)) if place not in results), len(turns))
    if turns and not answered:
        raise ModelUnavailable(details={"reason": problem})
    return [results[place] for place in range(answered)]


def _batches(places: Sequence[int], turns: Sequence[Turn]) -> Iterator[list[int]]:
    """Places of turns that go out together, in order, few enough and short enough for one answer."""
    batch: list[int] = []
    characters = 0
    for place in places:
        length = len(turns[place].text)
        if batch and (len(batch) == BATCH_TURNS or characters + length > BATCH_CHARACTERS):
            yield batch
            batch, characters = [], 0
        batch.append(place)
        characters += length
    if batch:
        yield batch


def _ask_all(
    batches: Sequence[Sequence[int]], turns: Sequence[Turn], fields: Whitelist, client: ChatClient
) -> list[_Outcome]:
    """One outcome per batch. Threads only wait for the network here; none of them touches the database."""

    def ask(batch: Sequence[int]) -> _Outcome:
        try:
            answer, version = _ask([turns[place] for place in batch], fields, client)
            return _Outcome(answer, prompt=version)
        except ChatUnavailable as problem:
            return _Outcome(None, problem)

    if len(batches) == 1:
        return [ask(batches[0])]
    with ThreadPoolExecutor(max_workers=client.concurrency) as pool:
        return list(pool.map(ask, batches))


def _ask(turns: Sequence[Turn], fields: Whitelist, client: ChatClient) -> tuple[ChatAnswer, str]:
    """The answer, and the version of the prompt that was answered."""
    chinese = [language_of(turn.text) == "zh" for turn in turns]
    language: Language = "zh" if 2 * sum(chinese) >= len(turns) else "en"
    template = extraction_prompt(language)
    prompt = template.render(
        events=[_as_event(number, turn) for number, turn in enumerate(turns, start=1)],
        fields=[
            PromptField(
                form_type=spec.form_type,
                name=spec.name,
                label=spec.label_zh if language == "zh" else spec.label_en,
                value_type=spec.value_type,
                choices=spec.choices,
            )
            for spec in fields.values()
        ],
    )
    return client.ask(instructions=prompt.instructions, question=prompt.question), template.VERSION


def _signed(result: Extraction | Failed, reader: str) -> Extraction | Failed:
    """The result with who read it."""
    if isinstance(result, Failed):
        return replace(result, salvaged=replace(result.salvaged, read_by=reader))
    return replace(result, read_by=reader)


def _as_event(number: int, turn: Turn) -> PromptEvent:
    return PromptEvent(
        number=number,
        text=readable_text(turn),
        said_at=turn.occurred_at.astimezone(ZoneInfo(turn.zone)),
        earlier=tuple(without_secrets(text)[:_EARLIER_CHARACTERS] for text in turn.earlier),
    )


def _results(outcome: _Outcome, turns: Sequence[Turn], fields: Whitelist) -> list[Extraction | Failed]:
    """One result per turn; none when there was no answer."""
    answer = outcome.answer
    if answer is None:
        return []
    if answer.fault and answer.fault != "answer_cut_off":
        return [Failed(code=answer.fault)] * len(turns)
    return read_answer(answer.text, is_cut=answer.fault == "answer_cut_off", turns=turns, fields=fields)


def _account(
    outcome: _Outcome, found: Sequence[Extraction | Failed], *, client: ChatClient, workspace_id: UUID
) -> None:
    """Note whether the provider answers, and what it cost. Codes and counts are logged, never a word of what was said."""
    answer, problem = outcome.answer, outcome.problem
    codes = sorted({result.code for result in found if isinstance(result, Failed)})
    if problem is not None:
        codes = [problem.code]
        note_failure(client.name, code=problem.code, retry_after=problem.retry_after)
    elif "request_refused" in codes:
        note_failure(client.name, code="request_refused")
    else:
        note_answer(client.name)
    if codes:
        log.warning("model_answer_unusable", model=client.name, codes=codes)
    sent, received = (answer.prompt_tokens, answer.completion_tokens) if answer else (0, 0)
    spent = Spent(
        calls=1,
        failures=int(bool(codes)),
        prompt_tokens=sent,
        completion_tokens=received,
        cost=client.cost(sent, received),
    )
    add_usage(
        workspace_id=workspace_id,
        day=timezone.now().date(),
        model=client.name,
        purpose=PURPOSE,
        spent=spent,
    )
