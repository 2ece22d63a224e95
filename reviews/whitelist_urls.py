"""Addresses of the whitelist and the policies."""

from django.urls import URLPattern, path

from reviews.views.missed_terms import make_alias, missed_terms
from reviews.views.policies import policies, policy, policy_decide, policy_move, policy_new
from reviews.views.policy_trials import (
    policy_trial,
    policy_trial_chart,
    policy_trial_decide,
    policy_trial_move,
    policy_trials,
    policy_try,
)
from reviews.views.repeats import repeats
from reviews.views.whitelist import form_type_edit, form_type_new, whitelist
from reviews.views.whitelist_field import field_edit, field_new, field_restore, whitelist_field

FIELD = "whitelist/<slug:form_type>/<slug:field>/"

urlpatterns: list[URLPattern] = [
    path("whitelist/", whitelist, name="whitelist"),
    path("whitelist/new-type/", form_type_new, name="form_type_new"),
    path("whitelist/<slug:form_type>/", form_type_edit, name="form_type_edit"),
    path("whitelist/<slug:form_type>/new-field/", field_new, name="field_new"),
    path(FIELD, whitelist_field, name="whitelist_field"),
    path(f"{FIELD}edit/", field_edit, name="field_edit"),
    path(f"{FIELD}restore/", field_restore, name="field_restore"),
    path("misses/", missed_terms, name="missed_terms"),
    path("misses/alias/", make_alias, name="make_alias"),
    path("policies/", policies, name="policies"),
    path("policies/new/", policy_new, name="policy_new"),
    path("policies/trials/", policy_trials, name="policy_trials"),
    path("policies/trials/<int:number>/", policy_trial, name="policy_trial"),
    path("policies/trials/<int:number>/chart/", policy_trial_chart, name="policy_trial_chart"),
    path("policies/trials/<int:number>/move/", policy_trial_move, name="policy_trial_move"),
    path("policies/trials/<int:number>/decide/", policy_trial_decide, name="policy_trial_decide"),
    path("policies/<int:number>/", policy, name="policy"),
    path("policies/<int:number>/try/", policy_try, name="policy_try"),
    path("policies/<int:number>/move/", policy_move, name="policy_move"),
    path("policies/<int:number>/decide/", policy_decide, name="policy_decide"),
    path("repeats/", repeats, name="repeats"),
]
