int duplicate(int n) { return n + n; }

int printf(const char *text, ...) { return text != 0; }
