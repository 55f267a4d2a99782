source ../all.sh

fetch() {
  retry curl -fsS "$1" || die "no $1"
}

retry() {
  "$@" || "$@"
}
