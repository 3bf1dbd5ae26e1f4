#!/bin/sh
# Run once by PostgreSQL's image, on an empty volume: the role that gateways run with. `migrate` gives it its rights.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$(cat /run/secrets/runtime_password)" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
CREATE ROLE solegate_runtime LOGIN PASSWORD :'password';
REVOKE ALL ON DATABASE solegate FROM PUBLIC;
GRANT CONNECT ON DATABASE solegate TO solegate_runtime;
SQL
