import type { Call } from './call.ts';
import { MAX_BODY_BYTES } from './limits.ts';

/** Behind a whole reply, for the client that started the one-shot and waits for it. */
export const WHOLE = '\0';

/** What a client tells the one-shot that it starts; the native client does the same. */
export function oneShotArguments(
  { args, size, deadline }: Pick<Call, 'args' | 'size' | 'deadline'>,
  isStuck: boolean,
  now: number,
): readonly string[] {
  const at = args.indexOf('--within');
  const kept = at < 0 ? args : args.toSpliced(at, 2);
  return [
    ...['--direct', '--watched', '--start'],
    ...(isStuck ? ['--stuck'] : []),
    ...kept,
    ...['--within', String(Math.max(1, Math.floor(deadline - now)))],
    ...(size > MAX_BODY_BYTES && !kept.includes('--size') ? ['--size', String(size)] : []),
  ];
}
