#pragma once

#define STORE_API __attribute__((visibility("default")))

typedef enum { STORE_READ = 1, STORE_WRITE = 2 } store_mode;

enum colour { RED, GREEN = 5, BLUE };

struct entry {
  unsigned key;
  union {
    long number;
    char *text;
  } value;
  struct entry *next;
};

struct ops {
  int (*write)(struct entry *entry);
  void (*close)(void);
};

typedef struct store {
  struct entry *head;
  const struct ops *ops;
  store_mode mode;
} store_t;

typedef int (*store_visit)(struct entry *entry, void *with);
