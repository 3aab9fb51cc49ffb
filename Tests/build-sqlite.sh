#!/usr/bin/env bash
# Builds a library that takes the place of SQLite's, in the folder that is given, from the source that the
# Python package `sqlcipher3` carries and with the options with which Debian builds SQLite:
# "sqlcipher" is SQLCipher, "without-hook" is an SQLite that lacks the pre-update hook, and "checked" is one
# that ends the process when two threads use one connection at the same time.
set -euo pipefail
folder=$1 kind=$2

version=0.6.4
sum=f6d54c906fefdc09124c845cb8f45145a8049aee32c0e5aad95c042b9e4dc8d3

if ! [ -e /usr/include/openssl/evp.h ] || ! command -v cc >/dev/null; then
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" apt-get install -y --no-install-recommends gcc libc6-dev libssl-dev
fi

# The client fetches and unpacks the package, and would build it, which needs more than is wanted here:
# what it has unpacked stays.
mkdir "$folder/package"
TMPDIR="$folder/package" python3 -m pip download --quiet --no-clean --no-deps --no-build-isolation \
  --no-binary sqlcipher3 --dest "$folder/package" "sqlcipher3==$version" >"$folder/package/log" 2>&1 || true
source=$(find "$folder/package" -path '*/vendor/sqlite3.c' | head -n 1)
if [ -z "$source" ]; then
  cat "$folder/package/log" >&2
  echo "The source of SQLite can't be had: see above." >&2
  exit 1
fi
echo "$sum  $source" | sha256sum --check --quiet

options=(
  THREADSAFE=1 SECURE_DELETE SOUNDEX USE_URI MAX_VARIABLE_NUMBER=250000
  ENABLE_COLUMN_METADATA ENABLE_DBSTAT_VTAB ENABLE_FTS3 ENABLE_FTS3_PARENTHESIS ENABLE_FTS3_TOKENIZER
  ENABLE_FTS4 ENABLE_FTS5 ENABLE_LOAD_EXTENSION ENABLE_MATH_FUNCTIONS ENABLE_RTREE
  ENABLE_STMTVTAB ENABLE_UNLOCK_NOTIFY ENABLE_UPDATE_DELETE_LIMIT
)
case $kind in
  sqlcipher)
    options+=(
      HAS_CODEC EXTRA_INIT=sqlcipher_extra_init EXTRA_SHUTDOWN=sqlcipher_extra_shutdown TEMP_STORE=2
      ENABLE_PREUPDATE_HOOK ENABLE_SESSION
    )
    ;;
  without-hook) ;;
  checked)
    options+=(
      ENABLE_PREUPDATE_HOOK ENABLE_SESSION ENABLE_MULTITHREADED_CHECKS THREAD_MISUSE_ABORT
    )
    ;;
  *)
    echo "The library is 'sqlcipher', 'without-hook' or 'checked', not '$kind'." >&2
    exit 64
    ;;
esac
cc -O2 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -fPIC -shared -Wl,-soname,libsqlite3.so.0 "${options[@]/#/-DSQLITE_}" -DHAVE_ISNAN -DHAVE_STDINT_H \
  -DNDEBUG "$source" -o "$folder/libsqlite3.so.0" -lcrypto -lpthread -lm -ldl
