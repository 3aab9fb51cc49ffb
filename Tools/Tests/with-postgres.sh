#!/usr/bin/env bash
# Runs a command beside a PostgreSQL of its own: `Tools/Tests/with-postgres.sh swift test`.
#
# The server is in a temporary folder, listens on a socket in it and nowhere else, and is stopped in any case. It
# doesn't run as root. The command finds it by PGHOST, PGUSER and PGDATABASE, as psql does.
set -euo pipefail

programs=$(find /usr/lib/postgresql/*/bin -maxdepth 0 2>/dev/null | sort -V | tail -n 1)
if [ -z "$programs" ]; then
  command -v initdb >/dev/null || { echo "There is no PostgreSQL: install it." >&2; exit 1; }
  programs=$(dirname "$(command -v initdb)")
fi

# A path of a socket has at most 107 bytes: TMPDIR may be too long for it.
folder=$(mktemp -d /tmp/strata-postgres-XXXXXX)
as_server=()
if [ "$(id -u)" = 0 ]; then
  server_user=$(id -u postgres 2>/dev/null || echo 65534)
  as_server=(setpriv "--reuid=$server_user" "--regid=$server_user" --clear-groups)
  chown "$server_user:$server_user" "$folder"
  chmod 755 "$folder"
fi

# Nothing in the folder is worth keeping, so the server needn't write it to the disk when it stops.
stop() {
  [ ! -e "$folder/data/postmaster.pid" ] ||
    (cd / && "${as_server[@]}" "$programs/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null)
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

(
  cd /
  "${as_server[@]}" "$programs/initdb" -D "$folder/data" -U strata -A trust -E UTF8 --locale=C.UTF-8 -N \
    >"$folder.log" 2>&1 || { cat "$folder.log" >&2; rm -f "$folder.log"; exit 1; }
  rm -f "$folder.log"
  "${as_server[@]}" "$programs/pg_ctl" -D "$folder/data" -w -l "$folder/data/log" -o \
    "-c listen_addresses='' -c unix_socket_directories='$folder' -c fsync=off -c max_wal_size=4GB" start >/dev/null
)

export PGHOST=$folder PGUSER=strata PGDATABASE=postgres PATH="$programs:$PATH"
unset PGPORT PGPASSWORD PGOPTIONS PGSERVICE
# In the background, so that a signal is heard at once.
"$@" &
command=$!
trap 'kill "$command" 2>/dev/null; exit 143' TERM HUP
trap 'kill "$command" 2>/dev/null; exit 130' INT
wait "$command"
