#ifndef DEPOT_ITEM_H
#define DEPOT_ITEM_H

#include <stddef.h>
#include "price.h"

#define ITEM_COUNT(items) (sizeof(items) / sizeof((items)[0]))

typedef struct item {
  const char *name;
  price_t price;
  struct item *next;
  int (*check)(const struct item *self);
} item;

extern int item_limit;

item *item_new(const char *name, price_t price);
void item_free(item *it);
int item_total(const item *first);

static inline int item_is_last(const item *it) {
  return it->next == NULL || item_total(it->next) == 0;
}

#endif
