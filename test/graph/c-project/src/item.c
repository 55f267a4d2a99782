#include "depot/item.h"

#include <stdlib.h>
#include <string.h>

#include "log.h"

int item_limit = 10;

static int check(const item *self) { return self->name != NULL; }

item *item_new(const char *name, price_t price) {
  item *made = malloc(sizeof(item));
  if (made == NULL) {
    log_error("no memory");
    return NULL;
  }
  made->name = strdup(name);
  made->price = price;
  made->check = check;
  if (!check(made)) item_free(made);
  return made;
}

void item_free(item *it) {
  free((void *)it->name);
  free(it);
}

int item_total(const item *first) {
  price_t sum = {0};
  for (const item *at = first; at; at = at->next) {
    sum = price_add(sum, at->price);
    at->check(at);
  }
  return price_round(sum);
}
