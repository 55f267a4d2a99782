import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** A program that runs while the test goes on; one that the test waits for, as `git init`, disturbs nobody. */
const STARTS_PROCESSES =
  /^import \{[^}]*\b(spawn|fork|exec|execFile|Worker)\b[^}]*\} from 'node:(child_process|worker_threads)';$/m;
const DEPENDS_ON_ALL =
  /\bvi\.(stub\w+|useFakeTimers|mock|doMock)\(|\bprocess\.(env\[[^\]]+\] *=[^=]|chdir\(|umask\(|memoryUsage\()/;
/** The product as a process runs it. */
const USES_BUILD = /(\.\.\/|\b(root|ROOT), ')(dist\b|bin\/fairlead)/;
const IMPORTED = /^(?:import|export) [^;]*?from '(\.{1,2}\/[^']+\.ts)';$/gm;
/** Only parts of tests are followed: the product touches processes through `platform/` alone. */
const isPartOfTests = (path: string): boolean =>
  path.startsWith('test/') || /\.fixture\.ts$|\/contract\.ts$/.test(path);

interface Kinds {
  /** Those that start programs come first: a start copies what the system knows of a process's memory, and that grows. */
  readonly pure: readonly string[];
  readonly process: readonly string[];
  readonly alone: readonly string[];
}

/**
 * Tests that start nothing which goes on (`pure`), those that start processes or the product (`process`), and those that
 * change or measure what all tests of a process share, so that each file needs one of its own (`alone`). What a test
 * imports and calls decides, so nobody keeps a list.
 */
export function sortTests(): Kinds {
  const needsProcess = holdsFor(
    (path, text) => path.startsWith('test/process/') || STARTS_PROCESSES.test(text) || USES_BUILD.test(text),
  );
  const isAlone = holdsFor((_, text) => DEPENDS_ON_ALL.test(text));
  const starts = holdsFor((_, text) => text.includes("from 'node:child_process'"));
  const tests = ['src', 'test'].flatMap(listTests).filter((path) => !path.startsWith('test/e2e/'));
  const alone = tests.filter(isAlone);
  const others = tests.filter((path) => !alone.includes(path));
  const pure = others.filter((path) => !needsProcess(path));
  return {
    pure: [...pure.filter(starts), ...pure.filter((path) => !starts(path))],
    process: others.filter(needsProcess),
    alone,
  };
}

/** Whether it holds for a file, or for a part of tests that it imports. */
function holdsFor(holds: (path: string, text: string) => boolean): (path: string) => boolean {
  const known = new Map<string, boolean>();
  const ask = (path: string): boolean => {
    const before = known.get(path);
    if (before !== undefined) return before;
    known.set(path, false);
    const text = readFileSync(join(root, path), 'utf8');
    const answer = holds(path, text) || importsOf(path, text).some((next) => isPartOfTests(next) && ask(next));
    known.set(path, answer);
    return answer;
  };
  return ask;
}

const importsOf = (path: string, text: string): string[] =>
  [...text.matchAll(IMPORTED)].map(([, target = '']) => posix.join(posix.dirname(path), target));

const listTests = (dir: string): string[] =>
  readdirSync(join(root, dir), { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(dir, name.replaceAll('\\', '/')))
    .filter((path) => path.endsWith('.test.ts'))
    .sort();
