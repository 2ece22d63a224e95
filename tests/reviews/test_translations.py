"""The desk speaks Chinese wherever it speaks English."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.utils import translation
from django.utils.translation import gettext, ngettext, pgettext

from reviews.translations import Catalogue, Key, compiled, messages_in, read_po, write_po

PO = Path(settings.BASE_DIR) / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"


def test_every_message_is_translated_and_compiled() -> None:
    call_command("update_translations", check=True)


def test_the_check_names_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "a.html").write_text("{% load i18n %}{% translate 'Never heard of' %}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "BASE_DIR", tmp_path)
        with pytest.raises(CommandError, match="Never heard of"):
            call_command("update_translations", check=True)


def test_messages_are_found_in_templates_and_modules(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "reviews").mkdir()
    (tmp_path / "templates" / "a.html").write_text(
        """{% translate "It's here" %}{% translate 'open' context 'door' %}{{ _("plain") }}
        {% blocktranslate count n=rows|length %}{{ n }} row{% plural %}{{ n }} rows{% endblocktranslate %}"""
    )
    (tmp_path / "reviews" / "a.py").write_text(
        'x = _("from python"), ngettext("day", "days", 2), pgettext("c", "with context")'
    )
    assert set(messages_in(tmp_path)) == {
        Key("It's here"),
        Key("open", context="door"),
        Key("plain"),
        Key("%(n)s row", plural="%(n)s rows"),
        Key("from python"),
        Key("day", plural="days"),
        Key("with context", context="c"),
    }


def test_a_catalogue_survives_being_written(tmp_path: Path) -> None:
    words = {
        Key('a "quoted"\nline \\ end'): "一\n二",
        Key("n", plural="ns"): "个",
        Key("open", context="door"): "开",
    }
    path = tmp_path / "django.po"
    write_po(path, Catalogue(words=words))
    assert read_po(path).words == words


def test_gettext_reads_the_compiled_catalogue() -> None:
    with translation.override("zh-hans"):
        assert gettext("Owners") == "归属者"
        assert pgettext("value", "current") == "当前"
        assert ngettext("%(counter)s owner", "%(counter)s owners", 2) == "%(counter)s 个归属者"
    assert PO.with_suffix(".mo").read_bytes() == compiled(read_po(PO))


def test_placeholders_survive_translation() -> None:
    import re

    for key, word in read_po(PO).words.items():
        assert set(re.findall(r"%\(\w+\)s", key.plural or key.singular)) == set(
            re.findall(r"%\(\w+\)s", word)
        ), key
