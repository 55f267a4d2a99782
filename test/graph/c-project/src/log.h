#pragma once

void log_error(const char *text);
void log_write(int level, const char *text);
