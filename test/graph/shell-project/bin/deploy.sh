#!/usr/bin/env bash
set -e
source "$(dirname "$0")/../lib/all.sh"

usage() {
  log "usage: deploy"
}

main() {
  setup() { fetch "$1"; }
  [ $# -gt 0 ] || { usage; exit 1; }
  setup "$1"
  result=$(retry build_image "$1")
  log "$result"
  rollout "$result"
  terraform apply
}

main "$@"
