load() {
  . "$ROOT/ci/common.sh"
}

build_image() {
  step_one
  step_two
}
