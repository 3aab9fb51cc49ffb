#!/usr/bin/env bash
# check-release-locks.sh PROGRAM: fails where a part of an async function has the variable of the thread in which
# 'Mutex' keeps the thread's number. The optimizer may keep its address across an 'await', and what locks on one
# thread would unlock on another one. Repair: take the lock in a function that is '@inline(never)'.
set -euo pipefail

if [ "$(uname -sm)" != "Linux x86_64" ] || ! command -v objdump >/dev/null; then
  echo "The locks of the release build are not looked at: that takes objdump, and Linux on x86-64."
  exit 0
fi

# Parts of async functions behind an 'await' have names that end with TY or TQ and a number. The variables of a
# thread begin at %fs:0; %fs:0x28 is the mark that guards the stack.
objdump -d --no-show-raw-insn "$1" |
  awk '/^[0-9a-f]+ </ { name = $2 }
    /%fs:0x0/ { if (name ~ /T[YQ][0-9]+_>:/ && name ~ /(Strata|StrataStudio|StrataStorage|StrataCommand)[0-9]/) found[name] = 1 }
    /<_?swift_stdlib_gettid>:|<_swift_stdlib_gettid>:/ { isThere = 1 }
    END {
      if (!isThere) { print "The program has no Mutex of the kind that is looked for."; exit 2 }
      for (name in found) { print "A lock is taken in a part of an async function: " name; bad = 1 }
      exit bad
    }'
