import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * A way to give memory back. V8 keeps what a busy second has made it take for as long as nothing more is needed, and
 * offers to collect at once only behind a flag, which may also be set while it runs.
 */
export function openCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
