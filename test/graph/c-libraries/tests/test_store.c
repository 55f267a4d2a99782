#include "../libs/store/src/internal.h"
#include "store/api.h"

int main(void) {
  struct entry entry = {.key = GREEN};
  store_t *store = store_open("x", 0);
  if (store_put(store, copy_entry(&entry))) return 1;
  helper(2);
  store_log("done");
  return store_get(store, 1)->next != 0;
}
