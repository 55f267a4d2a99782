rollout() {
  usage
  step_one
}
