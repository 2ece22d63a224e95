"""Names of technologies and how they are usually written, by the field they belong to."""

from __future__ import annotations

import re

LANGUAGES = (
    "Python|JavaScript|TypeScript|Node.js|NodeJS|Node|Java|Kotlin|Go|Golang|Rust|C++|C#|PHP|Ruby|Swift|Scala|Elixir|Haskell|Perl|"
    "Lua|Dart|Julia|R|OCaml|Nim|Crystal|COBOL|Fortran|MATLAB|Groovy|Solidity|VB.NET|Delphi|Apex|Bash|ArkTS|仓颉|易语言|Clojure|Erlang|F#|Objective-C|Zig"
)
FRAMEWORKS = (
    "Django|Flask|FastAPI|React|Vue|Vue.js|Angular|Svelte|Next.js|Nuxt|Express|NestJS|Spring Boot|Spring|Laravel|Rails|Ruby on Rails|"
    "Symfony|Gin|Echo|Flutter|React Native|htmx|Ktor|Actix|Axum|Rocket|Fiber|Micronaut|Quarkus|Ember|Remix|Astro|SvelteKit|SolidJS|Qwik|Hono|Fastify|Bottle|Pyramid|Sanic|Starlette|Litestar|Blazor|Nuxt.js|Vuetify|Ionic|Electron|Tauri|Qt|Backbone|Meteor|AdonisJS|Strapi|CodeIgniter|CakePHP|Yii|ThinkPHP|Hyperf|Beego|Kratos|Sinatra|Hanami|Play Framework|Dropwizard|Vert.x|Struts|MyBatis|SwiftUI|UIKit|Jetpack Compose|Unity|Unreal|Godot|Dash|Gradio|Spring Cloud|Dubbo|Taro|uni-app|UniApp|ASP.NET|.NET|Phoenix|Tornado|Koa|Streamlit|PyTorch|TensorFlow"
)
DATABASES = (
    "PostgreSQL|Postgres|MySQL|MariaDB|SQLite|MongoDB|Redis|Oracle|SQL Server|DynamoDB|Cassandra|ClickHouse|Elasticsearch|CockroachDB|"
    "TiDB|OceanBase|Neo4j|DuckDB|Snowflake|BigQuery|InfluxDB|Supabase|Firebase|Firestore|CouchDB|Couchbase|ScyllaDB|TimescaleDB|SQLServer|MSSQL|MS SQL|DB2|HBase|GaussDB|PolarDB|StarRocks|Doris|Milvus|Qdrant|Weaviate|Pinecone|YugabyteDB|Spanner|Aurora|SAP HANA|Memcached|Teradata|PlanetScale|Neon|RethinkDB|ArangoDB|Redshift|Greenplum|TDengine|SurrealDB|Turso|金仓|南大通用|神通|达梦|人大金仓"
)
FIELD_OF = {
    name.lower(): field
    for field, names in (
        ("programming_language", LANGUAGES),
        ("framework", FRAMEWORKS),
        ("database", DATABASES),
    )
    for name in names.split("|")
}
_AMBIGUOUS = {
    "go",
    "r",
    "node",
    "spring",
    "express",
    "echo",
    "rails",
    "swift",
    "phoenix",
    "gin",
    "oracle",
    "dart",
    "react",
    "ruby",
    "rust",
    "julia",
    "flask",
    "java",
    "perl",
    "crystal",
    "nim",
    "apex",
    "bash",
    "rocket",
    "fiber",
    "ember",
    "remix",
    "astro",
    "bottle",
    "pyramid",
    "electron",
    "meteor",
    "backbone",
    "dash",
    "unity",
    "unreal",
    "struts",
    "spanner",
    "aurora",
    "neon",
    "play framework",
    "ionic",
    "doris",
}
_NAMES = sorted(FIELD_OF, key=len, reverse=True)
TECH = "(?:" + "|".join(re.escape(name) for name in _NAMES) + r")(?![A-Za-z+#]|\d{2}|\d[A-Za-z])"


def field_of(written: str) -> str:
    """The project_config field a technology belongs to, '' when it is an everyday word in lower case ('go', 'react')."""
    name = written.lower()
    if name in _AMBIGUOUS and written == name:
        return ""
    return FIELD_OF.get(name, "")
