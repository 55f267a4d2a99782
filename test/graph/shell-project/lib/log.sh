# Writes a line.
log() {
  printf '%s\n' "$*" >&2
}

die() {
  log "$@"
  cleanup
  exit 1
}
