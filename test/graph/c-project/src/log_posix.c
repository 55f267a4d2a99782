#include <stdio.h>
#include "log.h"

void log_write(int level, const char *text) { fprintf(stderr, "%d %s\n", level, text); }

void log_error(const char *text) { log_write(3, text); }
