"""`manage.py update_translations`: bring the Chinese catalogue in step with the pages. `--check` only says whether it is."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from reviews.translations import LANGUAGE, Catalogue, compiled, messages_in, read_po, write_po


class Command(BaseCommand):
    help = "Update locale/zh_Hans from templates and modules and compile it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="change nothing; fail when something is out of step"
        )

    def handle(self, *args: Any, check: bool = False, **options: Any) -> None:
        root = Path(settings.BASE_DIR)
        po = root / "locale" / LANGUAGE / "LC_MESSAGES" / "django.po"
        mo = po.with_suffix(".mo")
        known = read_po(po).words if po.exists() else {}
        wanted = Catalogue(words={key: known.get(key, "") for key in messages_in(root)})
        if check:
            self._check(known=Catalogue(words=known), wanted=wanted, mo=mo)
            return
        po.parent.mkdir(parents=True, exist_ok=True)
        write_po(po, wanted)
        mo.write_bytes(compiled(wanted))
        self.stdout.write(f"{len(wanted.words)} messages, {len(wanted.untranslated)} without a translation")

    def _check(self, *, known: Catalogue, wanted: Catalogue, mo: Path) -> None:
        wrong = [f"not translated: {key.singular}" for key in wanted.untranslated]
        wrong += [f"not used any more: {key.singular}" for key in known.words.keys() - wanted.words.keys()]
        if not mo.exists() or mo.read_bytes() != compiled(known):
            wrong.append("django.mo is not the compiled django.po")
        if wrong:
            raise CommandError("\n".join(wrong))
