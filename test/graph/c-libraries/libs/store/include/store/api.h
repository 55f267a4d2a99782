#ifndef STORE_API_H
#define STORE_API_H

#include <stdint.h>
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

extern struct store *the_store;
extern const char *const store_names[];

store_t *store_open(const char *path, unsigned flags);
int store_put(store_t *store, const struct entry *entry);
struct entry *store_get(store_t *store, uint32_t key);
void store_each(store_t *store, store_visit visit, void *with);
int store_close(store_t *store);
STORE_API int store_sync(store_t *store);
void store_log(const char *format, ...);

#define STORE_VERSION 3
#define store_first(store) store_get((store), 0)
#define STORE_EACH(entry, store) for (entry = (store)->head; entry; entry = entry->next)

#ifdef __cplusplus
}
#endif
#endif
