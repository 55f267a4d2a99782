#pragma once
#include <store/api.h>

struct frame {
  struct entry entry;
  unsigned char bytes[16];
};

int frame_pack(struct frame *frame);
int frame_unpack(struct frame *frame, const unsigned char *bytes);
unsigned frame_size(const struct frame *frame);
