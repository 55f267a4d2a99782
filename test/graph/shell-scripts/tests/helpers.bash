step() { :; }
check_all() { check; setup; }
