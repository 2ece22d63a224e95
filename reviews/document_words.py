"""Words of the library: where a version stands, what its authority means, why a file was not taken."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

type Words = dict[str, Promise | str]

STANDINGS: Words = {
    "importing": _("being indexed"),
    "draft": _p("document", "draft"),
    "scheduled": _("comes into force later"),
    "in_force": _("in force"),
    "ended": _("no longer in force"),
    "replaced": _p("document", "replaced"),
    "archived": _("archived"),
}
AUTHORITIES: Words = {
    "5": _("5 · signed by legal"),
    "4": _("4 · approved product document"),
    "3": _("3 · training material"),
    "2": _("2 · internal wiki"),
    "1": _("1 · personal note"),
}
MEDIA: Words = {"markdown": "Markdown", "text": _("plain text"), "html": "HTML", "pdf": "PDF"}
PROBLEMS: Words = {
    "file_too_large": _("The file is too large: at most 5 MB."),
    "text_too_long": _("The text is too long: at most a million characters."),
    "too_many_pages": _("The file has too many pages: at most 300."),
    "too_many_passages": _("The text falls into too many passages."),
    "unit_too_long": _("A row of a table or an entry of a list is too long."),
    "too_deep": _("The page is nested too deeply."),
    "too_complex": _("The file takes too long to read."),
    "encrypted_file": _("The file is encrypted; save it without a password."),
    "broken_file": _("This is not a PDF that can be read."),
    "no_text": _("There is no text in it. Of a scanned page only the picture was kept."),
    "not_utf8": _("The file is not UTF-8; save it in that encoding."),
    "nul_character": _("The file holds characters that no text has."),
    "wrong_owner_kind": _("Documents belong to a domain, a team or a project."),
    "ends_before_it_begins": _("It ends before it begins."),
}
WORDS: dict[str, Words] = {
    "document_standing": STANDINGS,
    "authority": AUTHORITIES,
    "media": MEDIA,
    "file_problem": PROBLEMS,
}
JOB_KINDS: Words = {"index_document": _("index a document")}
ENTRY_KINDS: Words = {"document": _("document"), "chunk": _("passage of a document")}
LEGS: Words = {"documents": _("documents")}
LEG_NOTES: Words = {"no linked domain, team or project": _("no linked domain, team or project")}
