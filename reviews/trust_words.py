"""What the trust rules say: why a repeat counts for nothing, which quota is used up, which rule of the screening fired."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

OUTCOMES: dict[str, str | Promise] = {"waiting": _("waits for a quota")}
REASONS: dict[str, str | Promise] = {
    "quota_of_owner": _("over the write quota of the owner"),
    "quota_of_agent": _("over the write quota of the agent"),
    "quota_of_document": _("over the write quota of the source document"),
    "same_source": _("said again by the same source"),
    "echo": _("an echo of our own recall"),
    "claims_ignored": _("claims about its own trust were ignored"),
    "instruction_like:override": _("rule: sets instructions aside"),
    "instruction_like:role": _("rule: gives the agent a role"),
    "instruction_like:disclosure": _("rule: asks for what is hidden"),
    "instruction_like:forged_frame": _("rule: forges a frame"),
    "instruction_like:delayed": _("rule: acts later, on a trigger"),
    "instruction_like:planted_preference": _("rule: plants a preference"),
    "instruction_like:memory_tampering": _("rule: tampers with memory"),
    "instruction_like:exfiltration": _("rule: carries data out"),
    "instruction_like:execution": _("rule: has something executed"),
    "instruction_like:restriction_bypass": _("rule: lifts restrictions"),
    "instruction_like:concealment": _("rule: hides something"),
    "instruction_like:authority": _("rule: claims authority"),
    "instruction_like:commanding_tone": _("rule: speaks like an order"),
}
