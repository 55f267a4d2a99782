#include <store/api.h>
#include <unistd.h>

STORE_API int store_sync(store_t *store) {
  store_log("sync %d", store->mode);
  return fsync(0);
}
