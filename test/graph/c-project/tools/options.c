#include <stdio.h>

int parse_options(int argc, char **argv) {
  show_help(argc);
  return argc > 1 && argv[1][0] == '-';
}

static int show(int n) { return n; }

int duplicate(int n) { return show(n); }
