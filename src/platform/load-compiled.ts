import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { basename, dirname, join } from 'node:path';
import { constants, Script } from 'node:vm';

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
 * Loads a file of ours that is CommonJS and ASCII, with the code that an earlier process compiled from it. The file begins with
 * a comment that names its build: V8 tells its own versions apart, and of a source knows no more than its length.
 */
export function loadCompiled<T>(path: string, dir: string): Compiled<T> {
  const source = readFileSync(path, 'latin1');
  const name = `${basename(path)}.${source.slice(2, source.indexOf('*/'))}.`;
  const kept = join(dir, `${name}${process.version}-${process.arch}`);
  const script = new Script(nodeModule.wrap(source), {
    filename: path,
    cachedData: readKept(kept),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
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
      writeFileSync(part, Buffer.concat([sumOf(data), data]), { mode: 0o600 });
      renameSync(part, kept);
      for (const other of readdirSync(dir))
        if (other.startsWith(`${basename(path)}.`) && !other.startsWith(name))
          rmSync(join(dir, other), { force: true });
    },
  };
}

const SUM_BYTES = 4;

/** The engine believes every byte it gets, and a wrong one ends the process. Digests would take longer to load than this takes. */
function sumOf(data: Uint8Array): Buffer {
  const sum = Buffer.alloc(SUM_BYTES);
  sum.writeUInt32LE(process.getBuiltinModule('node:zlib').crc32(data));
  return sum;
}

function readKept(path: string): Buffer | undefined {
  try {
    const { uid, mode } = statSync(path);
    // It runs as we do, so nobody else may have written it.
    if (uid !== process.geteuid?.() || (mode & 0o022) !== 0) return undefined;
    const bytes = readFileSync(path);
    const data = bytes.subarray(SUM_BYTES);
    return sumOf(data).equals(bytes.subarray(0, SUM_BYTES)) ? data : undefined;
  } catch {
    return undefined;
  }
}
