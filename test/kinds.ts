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

/**
 * Tests that can share a process (`pure`), and those that start processes, or change or measure what all tests of a
 * process share (`process`). What a test imports and calls decides, so nobody keeps a list.
 */
export function sortTests(): { readonly pure: readonly string[]; readonly process: readonly string[] } {
  const known = new Map<string, boolean>();
  const needsProcess = (path: string): boolean => {
    const before = known.get(path);
    if (before !== undefined) return before;
    known.set(path, false);
    const text = readFileSync(join(root, path), 'utf8');
    const answer =
      path.startsWith('test/process/') ||
      STARTS_PROCESSES.test(text) ||
      USES_BUILD.test(text) ||
      DEPENDS_ON_ALL.test(text) ||
      importsOf(path, text).some((next) => isPartOfTests(next) && needsProcess(next));
    known.set(path, answer);
    return answer;
  };
  const tests = ['src', 'test'].flatMap(listTests).filter((path) => !path.startsWith('test/e2e/'));
  return { pure: tests.filter((path) => !needsProcess(path)), process: tests.filter(needsProcess) };
}

const importsOf = (path: string, text: string): string[] =>
  [...text.matchAll(IMPORTED)].map(([, target = '']) => posix.join(posix.dirname(path), target));

const listTests = (dir: string): string[] =>
  readdirSync(join(root, dir), { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(dir, name.replaceAll('\\', '/')))
    .filter((path) => path.endsWith('.test.ts'))
    .sort();
