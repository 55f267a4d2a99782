#include <stdio.h>
#include <store/api.h>
#include <wire/frame.h>

#include "shared.h"
#include "ui/window.h"
#include "not/there.h"

typedef int (*command)(int argc, char **argv);

static int run(int argc, char **argv);
static int help(int argc, char **argv) {
  printf("%s %d\n", argv[0], MAX(argc, STORE_VERSION));
  return helper(argc);
}

static const struct {
  const char *name;
  command run;
} COMMANDS[] = {{"run", run}, {"help", help}};

static int show(struct entry *entry, void *with) {
  window_draw(with, entry->value.text);
  return entry->key == RED;
}

static int run(int argc, char **argv) {
  store_t *store = store_open(argv[0], STORE_READ);
  struct frame frame = {.entry = *store_first(store)};
  struct window *window = window_new();
  frame_pack(&frame);
  store_each(store, show, window);
  store_each(the_store, &show, NULL);
  window->on_close(window);
  LOG("%s", store_names[0]);
  missing_everywhere(argc);
  encode(1, 2);
  mix(1, 2);
  return store_close(store);
}

int main(int argc, char **argv) {
  command chosen = COMMANDS[0].run;
  if (argc > 2) return (*chosen)(argc, argv);
  return help(argc, argv) + run(argc, argv) + finish(argc);
}
