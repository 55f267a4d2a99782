#include <stdio.h>

void show_help(int n) { printf("%d", n); }

void usage(void) { show_help(0); }
