#pragma once

struct state {
  int level;
};

extern struct state legacy_state;

void legacy_log(int level);
