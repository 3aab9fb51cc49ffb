#!/usr/bin/env bash
# Makes the reference of some libraries in .build/reference, from the modules that `swift build` has made.
# A warning is an error.
#
#   docs/build-reference.sh Strata StrataTestSupport
#
# BUILD is the build folder of another package that has the libraries. The symbols of modules that Strata exports are a part
# of its reference, as they are of its API.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=${BUILD:-.build}
built=$build/debug
exported=StrataQuery,StrataRealmImport,StrataSchema,StrataStorage
target=$(swift -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')
sdk=()
if [ "$(uname)" = Darwin ]; then sdk=(-sdk "$(xcrun --show-sdk-path)"); fi

for library in "$@"; do
  symbols=.build/reference/$library.symbols
  rm -rf "$symbols"
  mkdir -p "$symbols"
  swift symbolgraph-extract -module-name "$library" -target "$target" "${sdk[@]}" -I "$built/Modules" \
    -Xcc -fmodule-map-file="$built/CStrataRuntime.build/module.modulemap" \
    -I "$build/checkouts/GRDB.swift/Sources/GRDBSQLite" \
    -minimum-access-level public -skip-synthesized-members \
    -experimental-allowed-reexported-modules="$exported" -output-dir "$symbols"
  catalog=()
  if [ -d "Sources/$library/Documentation.docc" ]; then
    catalog=("Sources/$library/Documentation.docc")
  fi
  docc convert "${catalog[@]}" --additional-symbol-graph-dir "$symbols" \
    --fallback-display-name "$library" --fallback-bundle-identifier "$library" \
    --warnings-as-errors --output-path ".build/reference/$library.doccarchive"
done
