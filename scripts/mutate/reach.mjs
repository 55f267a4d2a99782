// Which tests a file of the product can be noticed by.
import { isProduct } from '../source-graph.mjs';

const isTest = (path) => /\.test\.tsx?$/.test(path) && !path.startsWith('test/e2e/');
/** As `test/kinds.ts` has it: the product as a process runs it. */
const USES_BUILD = /(\.\.\/|\b(root|ROOT), ')(dist\b|bin\/fairlead)/;

/**
 * `byImport(file)`: the tests that load it, nearest first. `byBuild(file)`: those that run what is built
 * and have the name of the file or of its folder in theirs, small ones first. `texts`: path → text of tests and their parts.
 */
export function createReach(modules, texts) {
  const importers = new Map();
  for (const { path, imports } of modules.values()) {
    for (const { target, isType } of imports) {
      if (!isType) importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
  }
  const known = new Map();
  const usesBuild = (path) => {
    if (known.has(path)) return known.get(path);
    known.set(path, false);
    const parts = modules.get(path).imports.map(({ target }) => target);
    const answer =
      path.startsWith('test/process/') ||
      USES_BUILD.test(texts.get(path)) ||
      parts.some((part) => modules.has(part) && !isProduct(part) && usesBuild(part));
    known.set(path, answer);
    return answer;
  };
  const tests = [...modules.keys()].filter(isTest);
  const builtTests = tests.filter(usesBuild);
  return {
    usesBuild,
    byImport(file) {
      const steps = new Map([[file, 0]]);
      for (const [path, far] of steps) {
        for (const next of importers.get(path) ?? []) if (!steps.has(next)) steps.set(next, far + 1);
      }
      return tests
        .filter((path) => steps.has(path) && !usesBuild(path))
        .map((path) => ({
          path,
          far: steps.get(path),
          shared: sharedFolders(path, file),
          size: texts.get(path).length,
        }))
        .sort((one, other) => one.far - other.far || other.shared - one.shared || one.size - other.size)
        .map(({ path }) => path);
    },
    byBuild(file) {
      const words = file
        .split('/')
        .slice(-2)
        .map((word) => word.split('.')[0]);
      const rank = (path) => words.filter((word) => path.split(/[/.-]/).slice(2).includes(word)).length;
      return builtTests
        .filter((path) => rank(path) > 0)
        .sort((one, other) => rank(other) - rank(one) || texts.get(one).length - texts.get(other).length);
    },
  };
}

function sharedFolders(one, other) {
  const [first, second] = [one.split('/'), other.split('/')];
  let count = 0;
  while (count < first.length - 1 && first[count] === second[count]) count += 1;
  // `x.test.ts` of `x.ts`
  return count + (one.replace('.test.', '.') === other ? 10 : 0);
}
