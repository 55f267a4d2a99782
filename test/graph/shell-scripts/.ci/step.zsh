step() { print step; }
helper_one() { step; }
