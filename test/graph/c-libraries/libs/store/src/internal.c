#include "internal.h"
#include "table.inc"

static unsigned mix(unsigned a, unsigned b) { return TABLE[a % 4] ^ b; }

unsigned checksum(const struct entry *entry) {
  unsigned sum = mix(entry->key, (unsigned)entry->value.number);
#if defined(FAST)
  sum = fast_mix(sum);
#else
  sum = mix(sum, 1);
#endif
  return sum;
}

struct entry *copy_entry(const struct entry *entry) {
  static struct entry copies[4];
  struct entry *copy = &copies[mix(entry->key, 0) % 4];
  *copy = *entry;
  return copy;
}
