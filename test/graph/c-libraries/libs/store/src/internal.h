#include "../include/store/types.h"

unsigned checksum(const struct entry *entry);
struct entry *copy_entry(const struct entry *entry);

static inline int remember(store_t *store) {
  extern store_t *the_store;
  the_store = store;
  return checksum(store->head) == 0 || BLUE > RED;
}
