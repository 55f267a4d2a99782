source "$(git rev-parse --show-toplevel)/scripts/lib/core.sh"
step() { say ci; }
step
prepare() { step; helper_one; }
prepare
