. "${BASH_SOURCE%/*}/core.sh"

git_root() {
  need git && git rev-parse --show-toplevel
}

git_clean() {
  local root
  root="$(git_root)" || fail "no repository"
  [[ -z $(git -C "$root" status --short | only_tracked) ]] && debug clean
}

only_tracked() { grep -v '^??'; }
