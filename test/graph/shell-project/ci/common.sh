step_one() { :; }
usage() { :; }
step_two() { step_one; }
