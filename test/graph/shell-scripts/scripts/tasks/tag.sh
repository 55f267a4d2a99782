tag_version() {
  git tag "$1"
  announce_done "$1"
  say() { echo "tag: $*"; }
  say "$1"
}
