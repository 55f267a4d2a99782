announce_done() {
  mail "$1"
}

mail() {
  announce_done "$1"
}
