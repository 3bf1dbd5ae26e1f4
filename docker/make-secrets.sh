#!/bin/sh
# Creates the secrets of compose.yaml in the folder `secrets` beside it; existing files are kept. Only the owner can enter the
# folder; the files are readable by all, since each container runs as a different user.
#
#   ./make-secrets.sh          passwords, URLs, the secret that signs tokens
#   ./make-secrets.sh tls      also an authority and certificates for postgres, redis and localhost, for tls.compose.yaml
set -eu
folder=${SECRETS_FOLDER:-$(dirname "$0")/secrets}
mkdir -p "$folder"
chmod 700 "$folder"
cd "$folder"

keep() { # name, content
  [ -e "$1" ] || printf '%s' "$2" > "$1"
  chmod 444 "$1"
}

keep owner_password "$(openssl rand -hex 24)"
keep runtime_password "$(openssl rand -hex 24)"
keep monitor_password "$(openssl rand -hex 24)"
keep jwt_secret "$(openssl rand -base64 48)"
owner="postgres://solegate:$(cat owner_password)@postgres:5432/solegate"
runtime="postgres://solegate_runtime:$(cat runtime_password)@postgres:5432/solegate"
keep owner_database_url "$owner"
keep database_url "$runtime"

[ "${1:-}" = tls ] || exit 0
checked="?sslmode=verify-full&sslrootcert=/run/secrets/ca.crt"
keep owner_database_url_tls "$owner$checked"
keep database_url_tls "$runtime$checked"
[ -e ca.crt ] || openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj "/CN=Solegate authority" \
  -keyout ca.key -out ca.crt
chmod 400 ca.key
for name in postgres redis localhost; do
  [ -e "$name.crt" ] && continue
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$name" -keyout "$name.key" -out "$name.csr"
  printf 'subjectAltName=DNS:%s\n' "$name" > "$name.ext"
  openssl x509 -req -in "$name.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 365 -extfile "$name.ext" -out "$name.crt"
  rm "$name.csr" "$name.ext"
  chmod 444 "$name.key"
done
chmod 444 ./*.crt
