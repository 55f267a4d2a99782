#ifndef WINDOW_H
#define WINDOW_H

struct window {
  const char *title;
  void (*on_close)(struct window *self);
};

struct window *window_new(void);
void window_draw(struct window *window, const char *text);

#endif
