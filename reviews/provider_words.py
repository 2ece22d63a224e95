"""Words for what concerns models: who reads, how the provider does, why an answer or an entry of it was no use."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

REASONS: dict[str, Promise | str] = {
    # a whole answer
    "answer_refused": _("the model refused to answer"),
    "answer_empty": _("the model answered nothing"),
    "answer_cut_off": _("the model's answer was cut off"),
    "answer_without_list": _("the model answered without a list"),
    "answer_of_another_shape": _("the model's answer had another shape"),
    "request_refused": _("the model provider refused the request"),
    # an entry of it
    "entry_bad": _("the model's entry is faulty"),
    "entry_bad_kind": _("the model's entry is of no known kind"),
    "entry_unknown_member": _("the model's entry says more than was asked"),
    "target_not_offered": _("the model named an event it was not shown"),
    "pronoun_unresolved": _("a pronoun in place of a name"),
    "role_label": _("a transcript line, not a sentence"),
    "other_language": _("not in the language it was said in"),
    "other_script": _("not in the script it was said in"),
}
WORDS: dict[str, dict[str, Promise | str]] = {
    "extractor": {"rules": _("rules"), "model": _p("extractor", "model")},
    "model_state": {
        "unused": _("not used"),
        "ok": _("ok"),
        "degraded": _("degraded"),
        "down": _p("provider", "not answering"),
    },
    "admission": {
        "admit": _("would be let in"),
        "review": _("would wait for a person"),
        "session_only": _("session only"),
        "refuse": _("refused"),
    },
    "value_operation": {
        "set": _("set"),
        "remove": _("value ends"),
        "restore": _("an earlier value again"),
    },
    "usage_purpose": {
        "extraction": _("reading events"),
        "embed_passages": _("finding by meaning: what is stored"),
        "embed_queries": _("finding by meaning: questions"),
    },
    "embedder_state": {
        "ok": _("ok"),
        "degraded": _("degraded"),
        "down": _p("provider", "not answering"),
    },
    "provider_error": {
        "timeout": _("no answer in time"),
        "connection": _("no connection"),
        "endpoint_refused": _("the address may not be called"),
        "answer_not_json": _("an answer that is no JSON"),
        "answer_too_large": _("an answer that is too large"),
        "request_refused": _("the model provider refused the request"),
        "paused": _("it did not answer lately and is left alone for a while"),
        "wrong_dimensions": _("vectors of another length"),
        "wrong_count": _("another number of vectors than of texts"),
        "wrong_vector": _("vectors without a direction"),
        "unavailable": _("no answer"),
        "http_401": _("the key is not accepted (401)"),
        "http_403": _("the key is not accepted (403)"),
        "http_404": _("no such model or address (404)"),
        "http_429": _("too many questions (429)"),
    },
}
