static unsigned char encode(unsigned key, int n) { return (unsigned char)(key >> n); }

static unsigned decode(const unsigned char *bytes) {
  unsigned sum = 0;
  while (*bytes) sum += encode(*bytes++, 0);
  return sum;
}
