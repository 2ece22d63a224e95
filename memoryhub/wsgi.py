"""The web server's entry point."""

import os

# Read by the embedder's native code when it is loaded; more threads make a query slower on a busy machine.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryhub.settings")

from django.core.wsgi import get_wsgi_application

from memoryhub.language.patterns import compile_all
from memoryhub.starting import refuse_unsafe_start

application = get_wsgi_application()
refuse_unsafe_start()
# The first request is not the one to wait for it.
compile_all()
