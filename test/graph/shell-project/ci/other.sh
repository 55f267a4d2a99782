step_two() { usage; }
cleanup() { :; }
