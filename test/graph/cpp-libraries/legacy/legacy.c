#include "legacy.h"

struct state legacy_state = {1};

static int checked(int n) { return n; }

void legacy_log(int level) { legacy_state.level = checked(level); }
