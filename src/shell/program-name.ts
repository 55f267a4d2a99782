import { UNKNOWN } from './command.ts';

const DRIVE = /^[A-Za-z]:\\/;

/** The base name, even when the directory before it cannot be told. In zsh `=rm` is the path of `rm`. */
export function programOf(given: string): string {
  const value = given.startsWith('=') ? given.slice(1) : given;
  const slash = Math.max(value.lastIndexOf('/'), DRIVE.test(value) ? value.lastIndexOf('\\') : -1);
  const name = (slash < 0 ? value : value.slice(slash + 1)).toLowerCase();
  if (name.includes(UNKNOWN)) return '';
  return name.endsWith('.exe') ? name.slice(0, -4) : name;
}
