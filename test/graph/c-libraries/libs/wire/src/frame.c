#include "wire/frame.h"

#include "codec.c"

int frame_pack(struct frame *frame) {
  for (int n = 0; n < 16; n++) frame->bytes[n] = encode(frame->entry.key, n);
  return frame_size(frame);
}

int
frame_unpack(frame, bytes)
  struct frame *frame;
  const unsigned char *bytes;
{
  frame->entry.key = decode(bytes);
  return store_put(the_store, &frame->entry);
}

unsigned frame_size(const struct frame *frame) { return sizeof(frame->bytes) + checksum(&frame->entry); }
