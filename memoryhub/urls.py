"""Addresses of the service. Both parts write their whole paths, so this file only joins them."""

from django.urls import include, path

urlpatterns = [
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("api.urls")),
    path("", include("reviews.urls")),
]

handler400 = "api.errors.bad_request"
handler403 = "reviews.views.errors.forbidden"
