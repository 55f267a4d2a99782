#include "depot/price.h"
#include <math.h>

static long check(long amount) { return amount; }

price_t price_add(price_t a, price_t b) {
  a.amount = check(a.amount + b.amount);
  return a;
}

long price_round(price_t p) { return lround((double)p.amount); }
