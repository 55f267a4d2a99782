import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

type Body = (
  exports: unknown,
  require: NodeJS.Require,
  module: { exports: unknown },
  path: string,
  dir: string,
) => void;

export interface Compiled<T> {
  readonly exports: T;
  /** Whether it came compiled. */
  isKept(): boolean;
  /** Puts down what has been compiled by now; of other builds nothing stays. */
  keep(): void;
}

/**
 * Loads a file of ours with the code that an earlier process compiled from it. The file is ASCII, begins with a comment that
 * names its build, and is a function as Node puts it around CommonJS: `scripts/bundle-lazily.mjs` writes it. V8 tells its own
 * versions apart, and of a source knows no more than its length. What one use of a file needs is kept apart from what others do.
 */
export function loadCompiled<T>(path: string, dir: string, use = 'any'): Compiled<T> {
  const source = readFileSync(path, 'latin1');
  const name = `${basename(path)}.${source.slice(2, source.indexOf('*/'))}.`;
  const kept = join(dir, `${name}${process.version}-${process.arch}.${use}`);
  const script = new Script(source, {
    filename: path,
    cachedData: readKept(kept),
  });
  const module = { exports: {} };
  (script.runInThisContext() as Body)(module.exports, nodeModule.createRequire(path), module, path, dirname(path));
  return {
    exports: module.exports as T,
    isKept: () => script.cachedDataRejected === false,
    keep() {
      const part = join(dir, `${basename(path)}.part-${process.pid}`);
      // Where nothing of ours lies yet, nothing is begun.
      if (!existsSync(dir)) mkdirSync(dir, { mode: 0o700 });
      const data = script.createCachedData();
      try {
        writeFileSync(part, Buffer.concat([data, data]), { mode: 0o600 });
        renameSync(part, kept);
      } catch (error) {
        // On a full disk others need the room.
        rmSync(part, { force: true });
        throw error;
      }
      for (const other of readdirSync(dir))
        if (other.startsWith(`${basename(path)}.`) && !other.startsWith(name))
          rmSync(join(dir, other), { force: true });
    },
  };
}

/**
 * The engine believes every byte it gets, and a wrong one ends the process. So all of it is there twice: Node has no checksum
 * that takes less to load than this takes to compare.
 */
function readKept(path: string): Buffer | undefined {
  try {
    const { uid, mode } = statSync(path);
    // It runs as we do, so nobody else may have written it.
    if (uid !== process.geteuid?.() || (mode & 0o022) !== 0) return undefined;
    const bytes = readFileSync(path);
    const half = bytes.length / 2;
    const data = bytes.subarray(0, half);
    return half > 0 && data.equals(bytes.subarray(half)) ? data : undefined;
  } catch {
    return undefined;
  }
}
