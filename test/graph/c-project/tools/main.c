#include <depot/item.h>
#include <stdio.h>

#include "../src/log.h"
#include "generated/version.h"

int log_write(int level, const char *text);
void usage(void);

static void show(const item *first) {
  for (const item *at = first; at; at = at->next)
    printf("%s %ld\n", at->name, price_round(at->price));
}

int main(int argc, char **argv) {
  price_t free_of_charge = {0};
  item *first = item_new(argv[0], free_of_charge);
  item *all[2] = {first, first};
  for (unsigned n = 0; n < ITEM_COUNT(all); n++) show(all[n]);
  if (item_is_last(first)) usage();
  parse_options(argc, argv);
  version();
  check(first);
  duplicate(1);
  return item_total(first);
}
