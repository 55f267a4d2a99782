#include "store/api.h"

#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct store *the_store = NULL;
const char *const store_names[] = {"read", "write"};

static int write_entry(struct entry *entry) { return checksum(entry) > 0; }
static void close_all(void) { reset(); }

static const struct ops OPS = {
    .write = write_entry,
    .close = close_all,
};

static int reset(void) {
  the_store = NULL;
  return 0;
}

store_t *store_open(const char *path, unsigned flags) {
  store_t *made = (store_t *)calloc(1, sizeof *made);
  made->ops = &OPS;
  made->mode = flags & STORE_WRITE ? STORE_WRITE : STORE_READ;
  return remember(made) ? made : NULL;
}

int store_put(store_t *store, const struct entry *entry) {
  struct entry *copy = copy_entry(entry);
  copy->next = store->head;
  store->head = copy;
  if (store->ops->write(copy)) return -1;
  return store_sync(store);
}

struct entry *store_get(store_t *store, uint32_t key) {
  struct entry *entry;
  STORE_EACH(entry, store) {
    if (entry->key == key) return entry;
  }
  return NULL;
}

void store_each(store_t *store, store_visit visit, void *with) {
  for (struct entry *at = store->head; at != NULL; at = at->next)
    if (visit(at, with)) break;
}

int store_close(store_t *store) {
  store->ops->close();
  free(store);
  return reset();
}
