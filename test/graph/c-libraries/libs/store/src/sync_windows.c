#include <store/api.h>
#include <windows.h>

int store_sync(store_t *store) { return FlushFileBuffers(0) + (store->mode == STORE_READ); }
