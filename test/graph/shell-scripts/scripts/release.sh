#!/usr/bin/env bash
set -euo pipefail
DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "$DIR/lib/git.sh"
. ./tasks/tag.sh
source "$HOME/.release"
source /etc/profile
source ~/other.sh
[ -f missing.sh ] && . missing.sh

trap cleanup EXIT

cleanup() {
  unlock
  say bye
}

publish() {
  local version=$1
  case $version in
    v*) tag_version "$version" ;;
    *) fail "odd version" || return ;;
  esac
  until retry_push; do
    debug again
  done
  for file in $(list_files); do
    upload "$file" &
  done
  wait
}

retry_push() { git push || say "not yet" | tee log; }

list_files() {
  cat <<EOT
$(say one)
EOT
}

upload() {
  if ! curl -T "$1" "$URL"; then
    fail upload
  elif need sha256sum; then
    eval "say done"
  fi
  x=$(say "$(say nested)") say last
}

main() {
  git_clean && with_lock publish "$@"
  time say "$*"
  ! need nothing
  { say group; (say subshell); }
  say <(say process)
  command say built
  announce_done
  step
}

main "$@"
