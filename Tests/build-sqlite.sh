#!/usr/bin/env bash
# Builds a library that takes the place of SQLite's, in the folder that is given, from the source that the
# Python package `sqlcipher3` carries and with the options with which Debian builds SQLite:
# "sqlcipher" is SQLCipher, "without-hook" is an SQLite that lacks the pre-update hook, and "checked" is one
# that ends the process when two threads use one connection at the same time.
set -euo pipefail
folder=$1 kind=$2

source=https://files.pythonhosted.org/packages/ce/8a/284f2daec79883151172f3f2f3e35505c90dc48feb081602b4f5c35331d1/sqlcipher3-0.6.4.tar.gz
sum=b02a3edfc554c9197d63ab4c38a30f7682eec65b10e5be2c9285a0d6ffb7a29a

if ! [ -e /usr/include/openssl/evp.h ] || ! command -v cc >/dev/null || ! command -v curl >/dev/null; then
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" apt-get install -y --no-install-recommends curl gcc libc6-dev libssl-dev
fi

curl -sSfL --retry 3 "$source" -o "$folder/source.tar.gz"
echo "$sum  $folder/source.tar.gz" | sha256sum --check --quiet
tar -xzf "$folder/source.tar.gz" -C "$folder" --strip-components 1

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
  -DNDEBUG "$folder/vendor/sqlite3.c" -o "$folder/libsqlite3.so.0" -lcrypto -lpthread -lm -ldl
