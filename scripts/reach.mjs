// Which test files a change can reach. `npm test -- --changed` runs them.
//
// A test reaches what it imports, however far away. Four things bend that:
// - A type that is imported is for the type checker, and not followed.
// - A generated list (`*.generated.ts`) names every rule, agent, language and verb, and nearly every test that opens an
//   engine imports one. What it lists is followed only for tests of that part: those in a folder of its name, those
//   that name it, and those that import the list or its `registry.ts` themselves.
// - What a test writes with a slash, or as a file's name in quotes, names that file: `native/client.c`, `./a.json`, the
//   rule `guard/catastrophe`. A folder that is named stands for the data in it.
// - A test that starts the product imports little of it. `STARTED` says which tests are about which part.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const CODE = /\.(tsx?|mjs)$/;
const LIST = /\.generated\.ts$/;
const TEST = /\.test\.ts$/;
const DATA = /\/fixtures\/|^test\/graph\/.*\//;
/** `import … from`, `import('…')` and `import '…'` of a file of ours, unless it imports types. */
const IMPORT = /^(?:import|export) (?!type )[^;'"]*?from '(\.[^']+)';$|\bimport\('(\.[^']+)'\)|^import '(\.[^']+)';$/gm;
const WORD = /[\w.@-]*(?:\/[\w.@-]+)+|(?<=['"`])\.?[\w-]+(?:\.[\w-]+)+(?=['"`])/g;
/** What every test runs under. */
const EVERYWHERE =
  /^(package(-lock)?\.json|vitest\.config\.ts|test\/(kinds|cases|property-setup|temporary-files|lacking)\.ts)$/;
/** What reads all sources, so that every change of code reaches it. */
const READS_CODE = ['test/architecture.test.ts'];
const READS_PROSE = ['test/docs.test.ts'];

/** Parts of the product, and the tests in test/process/ that start it to see them. */
export const STARTED = {
  'native/': ['native-client', 'native-client-alone', 'package-change', 'hook'],
  'src/client.ts': ['client-watch', 'hook', 'native-client'],
  'src/hook.ts': ['hook', 'hook-imports', 'kept-code'],
  'src/daemon.ts': ['daemon', 'daemon-stopped', 'daemon-races'],
  'src/copier.ts': ['undo-thread', 'undo-daemon'],
  'src/take-out.ts': ['package-change'],
  'src/transport/': ['daemon', 'daemon-posted', 'daemon-stopped', 'daemon-races', 'hook', 'roads'],
  'src/handle.ts': ['daemon', 'hook'],
  'src/assembly/': ['daemon', 'daemon-surroundings', 'hook'],
  'src/state/': ['concurrency', 'unrecorded'],
  'src/ledger/': ['concurrency', 'ledger-tools', 'unrecorded'],
  'src/jobs/': ['daemon-jobs'],
  'src/undo/': ['undo-daemon', 'undo-kill', 'undo-thread'],
  'src/team/': ['daemon-team', 'team-machines', 'team-lease'],
  'src/telemetry/otlp/': ['daemon-otlp'],
  'src/graph/resident/': ['daemon-graph'],
  'src/graph/indexer/': ['daemon-graph'],
  'src/indexer.ts': ['daemon-graph'],
  'src/mcp/': ['mcp', 'mcp-home'],
  'src/adopted/': ['adopted'],
  'src/user-rules/': ['rules'],
  'src/cli/install/': ['install', 'init-beside'],
  'src/cli/doctor/': ['prove'],
  'src/cli/gate': ['grant'],
  'src/packs/peers/': ['daemon-peers'],
  'src/packs/autocontext/': ['daemon-autocontext'],
  'src/adapters/opencode/': ['opencode-plugin'],
  'plugin/': ['plugin-program'],
  'scripts/new': ['new'],
};

/** Whether `folder` or `path` is what was named: the file, or a folder around data. */
const isNamed = (names, path) => {
  if (names.has(path)) return true;
  if (CODE.test(path) && !DATA.test(path)) return false;
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const folder = path.slice(0, at);
    if (folder.includes('/') && names.has(folder)) return true;
  }
  return false;
};

/** What the text of a file names, as paths from the root. */
function namesIn(path, text) {
  const names = new Set();
  for (const [word] of text.matchAll(WORD)) {
    names.add(posix.join(posix.dirname(path), word));
    if (!/^\.\.?\//.test(word)) {
      names.add(word.replace(/^\//, ''));
      const [pack, rule, ...rest] = word.split('/');
      if (rule !== undefined && rest.length === 0) names.add(`src/packs/${pack}/${rule}.ts`);
    }
  }
  return names;
}

/** The files that a file imports when it runs. */
function importsOf(path, text) {
  const wanted = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3]);
  return [...new Set(wanted.map((to) => posix.join(posix.dirname(path), to)))];
}

/** Only parts of tests name things; the product's own texts name rules for people. */
const isPartOfTests = (path) =>
  path.startsWith('test/') || TEST.test(path) || /\.fixture\.ts$|\/contract\.ts$/.test(path);

const inOrder = (one, other) => (one < other ? -1 : Number(one > other));

/** The folder of a pack, an agent or a language that a file belongs to, if any. */
const partOf = (path) => /^src\/(?:packs|adapters|graph\/languages)\/([^/]+)\//.exec(path)?.[1];

/**
 * The tests that `changed` reaches, of `texts`: every file of code by its path, with what is in it. Paths are from the
 * root, with slashes. A changed file need not be there any more.
 */
export function testsReached(texts, changed) {
  const tests = [...texts.keys()].filter((path) => TEST.test(path) && !path.startsWith('test/e2e/')).sort(inOrder);
  if (changed.some((path) => EVERYWHERE.test(path))) return tests;
  const known = new Map();
  const read = (path) => {
    if (!known.has(path)) {
      const text = texts.get(path) ?? '';
      const parts = isPartOfTests(path) && !DATA.test(path);
      known.set(path, { imports: importsOf(path, text), named: parts ? namesIn(path, text) : [] });
    }
    return known.get(path);
  };
  const wanted = new Set(changed);
  const reached = new Set(tests.filter((test) => wanted.has(test) || reaches(test, wanted, texts, read)));
  const add = (names, inFolder = '') => names.forEach((name) => reached.add(`${inFolder}${name}`));
  for (const path of changed) {
    for (const [place, names] of Object.entries(STARTED))
      if (path.startsWith(place))
        add(
          names.map((name) => `${name}.test.ts`),
          'test/process/',
        );
    if (CODE.test(path)) add(READS_CODE);
    if (/\.md$|^docs\//.test(path)) add(READS_PROSE);
  }
  return tests.filter((test) => reached.has(test));
}

/** Follows one test until it meets something that is wanted. */
function reaches(test, wanted, texts, read) {
  const folders = new Set(test.split('/'));
  const names = new Set();
  const seen = new Set([test]);
  const queue = [test];
  /** Whoever imports a registry asks for all that its list names. */
  const own = new Set([test, ...read(test).imports.filter((path) => path.endsWith('/registry.ts'))]);
  const lists = [];
  const visit = (path, isOwn) => {
    if (seen.has(path)) return;
    seen.add(path);
    if (LIST.test(path)) lists.push({ path, isOwn });
    else queue.push(path);
  };
  // Lists come last: what the test names is known by then.
  while (queue.length > 0 || lists.length > 0) {
    const path = queue.pop();
    if (path === undefined) {
      const list = lists.pop();
      if (list.isOwn && wanted.has(list.path)) return true;
      for (const next of listedBy(list.path, texts, read))
        if (LIST.test(next) || list.isOwn || folders.has(partOf(next)) || names.has(next)) visit(next, list.isOwn);
      continue;
    }
    if (wanted.has(path)) return true;
    const { imports, named } = read(path);
    for (const name of named) {
      names.add(name);
      if (texts.has(name) && !LIST.test(name)) visit(name, false);
    }
    for (const next of imports) visit(next, own.has(path));
  }
  return [...wanted].some((path) => isNamed(names, path));
}

/** What a list imports; the list of packs is made from files that it does not import. */
const listedBy = (list, texts, read) =>
  list === 'src/event/packs.generated.ts'
    ? [...texts.keys()].filter((path) => /^src\/packs\/[^/]+\/pack\.ts$/.test(path))
    : read(list).imports;

/** Every file of code below `root` that git knows or would know, with its text. */
export function readTexts(root) {
  const paths = git(root, 'ls-files', '--cached', '--others', '--exclude-standard', 'src', 'test', 'scripts', 'bench');
  return new Map(
    paths
      .filter((path) => CODE.test(path) && existsSync(join(root, path)))
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );
}

/** What differs from `base`, and files that git does not know yet. Without `base`: from where HEAD left main. */
export function changedSince(root, base = leftMain(root)) {
  const differs = git(root, 'diff', '--name-only', '--no-renames', base, '--');
  const unknown = git(root, 'ls-files', '--others', '--exclude-standard');
  return { base, changed: [...new Set([...differs, ...unknown])].sort(inOrder) };
}

function leftMain(root) {
  try {
    return git(root, 'merge-base', 'HEAD', 'main')[0];
  } catch {
    return 'HEAD';
  }
}

const git = (root, ...args) =>
  execFileSync('git', ['-c', 'core.quotePath=false', ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
    .split('\n')
    .filter((line) => line !== '');
