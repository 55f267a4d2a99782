#include "window.h"

#include <stdlib.h>

static void draw_frame(const struct window *window, int width) {
  (void)window;
  if (width > 1) draw_frame(window, width - 1);
}

static void closed(struct window *self) { free(self); }

struct window *window_new(void) {
  struct window *window = malloc(sizeof(struct window));
  window->on_close = closed;
  window->on_close = &closed;
  return window;
}

void window_draw(struct window *window, const char *text) {
  window->title = text;
  draw_frame(window, 3);
  finish(0);
}

int finish(int code) { return code; }
