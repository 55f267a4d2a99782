#!/bin/sh
# Shared by all scripts.

say() { printf '%s\n' "$*"; }

fail() {
  say "error: $*" >&2
  return 1
}

function need {
  command -v "$1" >/dev/null || fail "no $1"
}

function with_lock() {
  say locked
  "$@"
  unlock
}

unlock() (
  say unlocked
)

if [ -n "$VERBOSE" ]; then
  debug() { say "debug $1"; }
else
  debug() { :; }
fi
