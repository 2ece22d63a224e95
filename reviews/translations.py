"""The catalogue of the desk's words: what the templates and modules say, what the .po file translates, what the .mo file holds.

gettext's own programs are not needed: messages are found with Django's template lexer and Python's ast, and both files are
written here. The compiled file is committed, so that nothing has to be built before the service starts.
"""

from __future__ import annotations

import ast
import re
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from django.utils.translation.template import templatize

LANGUAGE = "zh_Hans"
SOURCES = ("reviews/**/*.py", "templates/**/*.html")
PLAIN = {"gettext", "gettext_lazy", "gettext_noop", "_"}
WITH_PLURAL = {"ngettext", "ngettext_lazy"}
WITH_CONTEXT = {"pgettext", "pgettext_lazy", "_p"}
HEADER = (
    "Project-Id-Version: memoryhub\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n"
    "Content-Transfer-Encoding: 8bit\nLanguage: zh_Hans\nPlural-Forms: nplurals=1; plural=0;\n"
)


class Key(NamedTuple):
    """What identifies a message. `plural` and `context` are '' where there are none."""

    singular: str
    plural: str = ""
    context: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Catalogue:
    """Translations by message; '' where one is missing. Chinese has one plural form."""

    words: dict[Key, str]

    @property
    def untranslated(self) -> list[Key]:
        return [key for key, word in self.words.items() if not word]


def messages_in(root: Path) -> list[Key]:
    """Every message of the sources, sorted."""
    found: set[Key] = set()
    for pattern in SOURCES:
        for path in root.glob(pattern):
            text = path.read_text(encoding="utf-8")
            found |= set(_in_template(text) if path.suffix == ".html" else _in_module(text))
    return sorted(found)


def _in_module(source: str) -> Iterator[Key]:
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        texts = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        if name in PLAIN and texts:
            yield Key(texts[0])
        elif name in WITH_PLURAL and len(texts) > 1:
            yield Key(texts[0], plural=texts[1])
        elif name in WITH_CONTEXT and len(texts) > 1:
            yield Key(texts[1], context=texts[0])


TEXT = r"u?('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"


def _in_template(source: str) -> Iterator[Key]:
    # templatize() keeps the calls to gettext and blanks the rest out.
    for name, first, second in re.findall(
        rf"\b(gettext|ngettext|pgettext|_)\({TEXT}(?:,\s*{TEXT})?", templatize(source)
    ):
        one, two = (ast.literal_eval(text) if text else "" for text in (first, second))
        yield (
            Key(two, context=one)
            if name == "pgettext"
            else Key(one, plural=two if name == "ngettext" else "")
        )


def read_po(path: Path) -> Catalogue:
    """The catalogue of a .po file as `write_po` makes it."""
    words: dict[Key, str] = {}
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        fields = {"msgctxt": "", "msgid": "", "msgid_plural": "", "msgstr": ""}
        current = ""
        for line in block.splitlines():
            if found := re.match(r'(msgctxt|msgid_plural|msgid|msgstr)(?:\[0\])?\s+(".*")$', line):
                current = found[1]
                fields[current] = ast.literal_eval(found[2])
            elif current and line.startswith('"'):
                fields[current] += ast.literal_eval(line)
        if fields["msgid"]:
            words[Key(fields["msgid"], fields["msgid_plural"], fields["msgctxt"])] = fields["msgstr"]
    return Catalogue(words=words)


def write_po(path: Path, catalogue: Catalogue) -> None:
    blocks = [f'msgid ""\nmsgstr {_quoted(HEADER)}']
    for key, word in sorted(catalogue.words.items()):
        lines = [f"msgctxt {_quoted(key.context)}"] if key.context else []
        lines.append(f"msgid {_quoted(key.singular)}")
        lines += [f"msgid_plural {_quoted(key.plural)}"] if key.plural else []
        lines.append(f"msgstr{'[0]' if key.plural else ''} {_quoted(word)}")
        blocks.append("\n".join(lines))
    path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def compiled(catalogue: Catalogue) -> bytes:
    """The bytes of the .mo file: GNU's format, little-endian, sorted, without a hash table."""
    pairs = [(b"", HEADER.encode())]
    for key, word in catalogue.words.items():
        if word:
            msgid = f"{key.context}\x04{key.singular}" if key.context else key.singular
            pairs.append(((f"{msgid}\0{key.plural}" if key.plural else msgid).encode(), word.encode()))
    pairs.sort()
    return _packed([one for one, _word in pairs], [word for _one, word in pairs])


def _packed(ids: Iterable[bytes], words: Iterable[bytes]) -> bytes:
    ids, words = list(ids), list(words)
    count = len(ids)
    header_size, table_size = 28, 8 * count
    offset = header_size + 2 * table_size
    tables, body = b"", b""
    for text in [*ids, *words]:
        tables += struct.pack("<II", len(text), offset + len(body))
        body += text + b"\0"
    header = struct.pack("<7I", 0x950412DE, 0, count, header_size, header_size + table_size, 0, offset)
    return header + tables + body
