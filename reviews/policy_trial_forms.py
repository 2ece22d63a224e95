"""Forms about a policy on trial: on which share, and every act about it with its reason."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from memoryhub.policy_trials import LEAST_SHARE, MOST_SHARE
from memoryhub.policy_versions import LONGEST_REASON
from reviews.forms import StorableText


class ShareForm(forms.Form):
    """Of how many percent of the owners, and why."""

    use_required_attribute = False

    share = forms.IntegerField(
        min_value=LEAST_SHARE,
        max_value=MOST_SHARE,
        initial=10,
        label=_("Percent of the owners"),
        widget=forms.NumberInput({"class": "form-control"}),
    )
    reason = StorableText(
        max_length=LONGEST_REASON, label=_("Why"), widget=forms.TextInput({"class": "form-control"})
    )


class TrialReasonForm(forms.Form):
    """The reason of a start, a rejection or a halt."""

    use_required_attribute = False

    reason = StorableText(
        max_length=LONGEST_REASON, label=_("Reason"), widget=forms.TextInput({"class": "form-control"})
    )
