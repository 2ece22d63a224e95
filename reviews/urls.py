"""Addresses of the staff desk, whole paths from the root of the site."""

from django.contrib.auth.views import LoginView
from django.urls import URLPattern, URLResolver, path

from reviews import change_urls, document_urls, recall_urls, relation_urls, review_urls, whitelist_urls
from reviews.forms import SignInForm
from reviews.views.event import event
from reviews.views.facts import facts
from reviews.views.home import events_per_day_chart, home
from reviews.views.items import items
from reviews.views.keyboard import choose_keys, keyboard
from reviews.views.links import link_end, link_new, links
from reviews.views.owners import owners
from reviews.views.preference import preference
from reviews.views.recall import recall
from reviews.views.review_claims import SignOutView
from reviews.views.sessions import sessions
from reviews.views.system import model_usage_chart, requeue, system
from reviews.views.timeline import timeline
from reviews.views.try_extraction import try_extraction
from reviews.views.versions import versions

sign_in = LoginView.as_view(
    template_name="reviews/sign_in.html", authentication_form=SignInForm, redirect_authenticated_user=True
)

app_name = "reviews"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", home, name="home"),
    path("charts/events-per-day/", events_per_day_chart, name="events_per_day"),
    path("owners/", owners, name="owners"),
    path("owners/<uuid:owner_id>/", facts, name="owner"),
    path("owners/<uuid:owner_id>/items/", items, name="items"),
    path("owners/<uuid:owner_id>/timeline/", timeline, name="timeline"),
    path("owners/<uuid:owner_id>/sessions/", sessions, name="sessions"),
    path("owners/<uuid:owner_id>/links/", links, name="links"),
    path("owners/<uuid:owner_id>/links/new/", link_new, name="link_new"),
    path("owners/<uuid:owner_id>/links/<uuid:link_id>/end/", link_end, name="link_end"),
    path("owners/<uuid:owner_id>/recall/", recall, name="recall"),
    path("owners/<uuid:owner_id>/forms/<uuid:form_id>/<slug:field>/", versions, name="versions"),
    path("owners/<uuid:owner_id>/events/<uuid:event_id>/", event, name="event"),
    path("system/", system, name="system"),
    path("charts/model-usage/", model_usage_chart, name="model_usage"),
    path("try-extraction/", try_extraction, name="try_extraction"),
    path("system/jobs/<uuid:job_id>/requeue/", requeue, name="requeue"),
    *change_urls.urlpatterns,
    path("keyboard/", keyboard, name="keyboard"),
    path("keyboard/keys/", choose_keys, name="choose_keys"),
    path("preference/", preference, name="preference"),
    path("login/", sign_in, name="login"),
    path("logout/", SignOutView.as_view(), name="logout"),
    *review_urls.urlpatterns,
    *whitelist_urls.urlpatterns,
    *document_urls.urlpatterns,
    *recall_urls.urlpatterns,
    *relation_urls.urlpatterns,
]
