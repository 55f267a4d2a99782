/** Read-only access to files of the workspace, for rules that act on what they hold. */
export interface RuleFiles {
  readText(path: string, maxBytes?: number): string | undefined;
  stat(
    path: string,
  ): { readonly kind: 'file' | 'dir' | 'other'; readonly size: number; readonly mtimeMs: number } | undefined;
  /** Whether anything lies there, also a link that leads nowhere. */
  lstat(path: string): { readonly kind: 'file' | 'dir' | 'other' } | undefined;
  /** At most `bytes` bytes of a regular file from a place in it. */
  readRange(path: string, from: number, bytes: number): Uint8Array | undefined;
  /** Names in a directory, sorted; no more than `max` are read. */
  list(dir: string, max: number): readonly string[];
  /** Where a path that exists leads, links followed. */
  realpath(path: string): string | undefined;
}
