#ifndef DEPOT_PRICE_H
#define DEPOT_PRICE_H

typedef struct price {
  long amount;
  char currency[4];
} price_t;

price_t price_add(price_t a, price_t b);
long price_round(price_t p);

#endif
