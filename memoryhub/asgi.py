"""For servers that only speak ASGI; the service itself is synchronous and faster over WSGI."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryhub.settings")

from django.core.asgi import get_asgi_application

from memoryhub.starting import refuse_unsafe_start

application = get_asgi_application()
refuse_unsafe_start()
