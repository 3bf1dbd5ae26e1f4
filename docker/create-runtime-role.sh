#!/bin/sh
# Run once by the PostgreSQL image, on an empty volume: creates the role of the gateways. `migrate` grants its rights.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$(cat /run/secrets/runtime_password)" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
CREATE ROLE solegate_runtime LOGIN PASSWORD :'password';
REVOKE ALL ON DATABASE solegate FROM PUBLIC;
GRANT CONNECT ON DATABASE solegate TO solegate_runtime;
SQL
