/** Bodies over this size are not parsed: 16 MiB of JSON would cost more than any answer is worth. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** How much of an unread body is looked at, to learn at least what event it is. */
export const HEAD_BYTES = 64 * 1024;
