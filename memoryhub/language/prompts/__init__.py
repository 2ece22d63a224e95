"""What models are asked, one module per task and language: a VERSION, the shape of the answer, and render()."""

from __future__ import annotations

from typing import Protocol

from memoryhub.language.prompts import extraction_en, extraction_zh
from memoryhub.language.prompts.extraction import Prompt, PromptEvent, PromptField
from memoryhub.language.text import Language


class ExtractionPrompt(Protocol):
    """What each module of the task offers."""

    VERSION: str

    def render(self, *, events: list[PromptEvent], fields: list[PromptField]) -> Prompt:
        """The instructions and the question for these events and fields."""


def extraction_prompt(language: Language) -> ExtractionPrompt:
    """The extraction prompt of a language."""
    return extraction_zh if language == "zh" else extraction_en
