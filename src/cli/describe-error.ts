const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'there is no permission for it',
  EPERM: 'there is no permission for it',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  ENOTDIR: 'a part of the path is no directory',
  EEXIST: 'something else is there already',
  ENOENT: 'there is no such place',
};

/** One line that says what could not be done and why, in place of the system's own words. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', path, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'uv_cwd')
    return 'the directory this shell is in does not exist any more; change to another one and try again';
  const reason = REASONS[code];
  if (reason === undefined || path === undefined) return error.message;
  return `${path} cannot be ${syscall === 'mkdir' ? 'made' : 'used'}: ${reason}`;
}
