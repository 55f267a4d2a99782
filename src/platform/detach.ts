import { closeSync, readdirSync, readFileSync } from 'node:fs';

const CLOSE_ON_EXEC = 0o2000000;

/**
 * For a process that outlives its caller: holds no directory of the caller's, makes files for its owner only, and keeps
 * none of the pipes it was handed. An agent waits until the last holder of its pipes has closed them.
 */
export function leaveCaller(): void {
  process.chdir('/');
  process.umask(0o077);
  for (const descriptor of inherited()) {
    try {
      closeSync(descriptor);
    } catch {
      // Closed by its owner in the meantime.
    }
  }
}

/**
 * Whatever Node opens for itself closes on exec; what does not was there before. Only Linux hands such descriptors down
 * through Node's spawn, and Linux tells.
 */
function inherited(): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && !closesOnExec(descriptor));
}

function closesOnExec(descriptor: number): boolean {
  try {
    const flags = /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1];
    return flags === undefined || (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0;
  } catch {
    return true;
  }
}
