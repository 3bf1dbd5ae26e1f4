#!/bin/sh
# Run once by the PostgreSQL image, on an empty volume: creates the role of the gateways, whose rights `migrate` grants, and the one that
# watches the server.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$(cat /run/secrets/runtime_password)" \
  -v monitor_password="$(cat /run/secrets/monitor_password)" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
CREATE ROLE solegate_runtime LOGIN PASSWORD :'password';
CREATE ROLE solegate_monitor LOGIN PASSWORD :'monitor_password' IN ROLE pg_monitor;
REVOKE ALL ON DATABASE solegate FROM PUBLIC;
GRANT CONNECT ON DATABASE solegate TO solegate_runtime, solegate_monitor;
SQL
