#include "window.h"

int finish(int code) { return code + 1; }
int helper(int n) { return finish(n); }
