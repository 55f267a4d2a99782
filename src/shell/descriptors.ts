import type { Opened, Shell } from './state.ts';
import { onlyOf } from './state.ts';

/** A descriptor that nothing uses yet. */
export function takeDescriptor(shell: Shell): number {
  shell.all.nextDescriptor += 1;
  return shell.all.nextDescriptor;
}

/** What `/dev/fd/3` and its like are open for. */
export function openedBy(path: string, shell: Shell): Opened | undefined {
  if (shell.descriptors.size === 0) return undefined;
  const number = /^\/(?:dev|proc\/(?:self|thread-self|\$\$|\d+))\/fd\/(\d+)$/.exec(path)?.[1];
  return number === undefined ? undefined : onlyOf(shell.descriptors.get(number));
}
