import type { Files } from '../platform/files.ts';
import type { TranscriptLook } from './adapter.ts';

/** Enough for what a file says of itself first. */
const HEAD = 4 << 10;

export function lookIn(files: Pick<Files, 'list' | 'readRange'>, most?: number): TranscriptLook {
  return {
    list: (dir) => files.list(dir, most),
    head: (path) => new TextDecoder().decode(files.readRange(path, 0, HEAD)),
  };
}
