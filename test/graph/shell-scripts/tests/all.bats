load helpers

setup() {
  source ../scripts/release.sh
}

check() {
  publish v1
  say tested
}

@test "publishes" {
  check
}
