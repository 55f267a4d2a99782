// `npm run new KIND NAME`: writes a skeleton that passes every check, and a test that fails and says what to do next.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './prepare.mjs';
import { Mistake, runCommandLine } from './command-line.mjs';

const HELP = `npm run new KIND NAME

  rule PACK/NAME        a rule of a pack
  verb NAME             a verb of the command line; PACK/NAME for one that belongs to a pack
  pack NAME             a folder for rules, verbs and settings that belong together
  agent NAME            an adapter and its installer
  language NAME         a language of the code graph; its name is one word

Names are words in lower case, joined by hyphens. Nothing is overwritten. The new test fails until you have done what
it says.`;
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
/** Words that nothing in JavaScript can be called by. */
const KEYWORDS =
  /^(?:await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|import|in|instanceof|let|new|null|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield)$/;

/** The packs that rules without code have. */
const OWNERS = ['user', 'project'];

/** By kind: from the given name to the files, path → template, and what the templates have in braces. */
const KINDS = {
  rule(given) {
    const { pack, name } = splitName(given);
    if (pack === undefined) throw new Mistake(`a rule belongs to a pack: npm run new rule PACK/${name}`);
    const dir = `src/packs/${pack}`;
    return {
      files: { [`${dir}/${name}.ts`]: 'rule.ts.txt', [`${dir}/${name}.test.ts`]: 'rule.test.ts.txt' },
      values: { pack, name },
    };
  },
  verb(given) {
    const { pack, name } = splitName(given);
    const dir = pack === undefined ? 'src/cli/commands' : `src/packs/${pack}/cli/commands`;
    const cli = pack === undefined ? '..' : '../../../../cli';
    if (verbs().some((verb) => verb === name || verb.startsWith(`${name} `)))
      throw new Mistake(`the name is taken: there is a verb ${name}`);
    const entry = name.includes('-') ? `'${name}': ${camel(name)}` : name;
    return {
      files: { [`${dir}/${name}.ts`]: 'verb.ts.txt', [`${dir}/${name}.test.ts`]: 'verb.test.ts.txt' },
      // Verbs of a new file come last in help, until somebody gives them a better place.
      values: { name, dir, cli, entry, camel: camel(name), order: nextNumber(verbFiles(), /\border: (\d+)/g, 10) },
    };
  },
  pack(name) {
    checkName(name);
    if (OWNERS.includes(name)) throw new Mistake(`the name is taken: rules without code have the pack ${name}`);
    const dir = `src/packs/${name}`;
    return {
      files: { [`${dir}/pack.ts`]: 'pack.ts.txt', [`${dir}/pack.test.ts`]: 'pack.test.ts.txt' },
      values: { name },
    };
  },
  agent(name) {
    checkName(name);
    const dir = `src/adapters/${name}`;
    return {
      files: {
        [`${dir}/names.ts`]: 'agent-names.ts.txt',
        [`${dir}/index.ts`]: 'agent-index.ts.txt',
        [`${dir}/install.ts`]: 'agent-install.ts.txt',
        [`${dir}/adapter.test.ts`]: 'agent.test.ts.txt',
      },
      values: { name, camel: camel(name) },
    };
  },
  language(name) {
    checkName(name);
    if (name.includes('-')) throw new Mistake(`"${name}" is not a name: a language is called by one word`);
    if (languages().includes(name)) throw new Mistake(`the name is taken: there is a language ${name}`);
    const dir = `src/graph/languages/${name}`;
    return {
      files: {
        [`${dir}/language.ts`]: 'language.ts.txt',
        [`${dir}/extractor.ts`]: 'language-extractor.ts.txt',
        [`${dir}/resolution.ts`]: 'language-resolution.ts.txt',
        [`${dir}/extractor.test.ts`]: 'language.test.ts.txt',
      },
      values: { name, code: nextNumber(languageFiles(), /\b(?:code:|MANIFEST =) (\d+)/g, 1) },
    };
  },
};

function splitName(given) {
  const parts = given.split('/');
  const name = parts.pop();
  const [pack] = parts;
  if (parts.length > 1) throw new Mistake(`"${given}" is not a name: write NAME or PACK/NAME`);
  checkName(name);
  if (pack !== undefined && !packs().includes(pack))
    throw new Mistake(`there is no pack "${pack}"; there are ${packs().join(', ')}, and npm run new pack makes one`);
  return { pack, name };
}

function checkName(name) {
  if (KEYWORDS.test(name)) throw new Mistake(`"${name}" is a keyword, so no code can be called by it`);
  if (!NAME.test(name)) throw new Mistake(`"${name}" is not a name: write words in lower case, joined by hyphens`);
}

function packs() {
  const all = join(root, 'src', 'packs');
  return readdirSync(all).filter((name) => statSync(join(all, name)).isDirectory());
}

function verbs() {
  const index = readFileSync(join(root, 'src', 'cli', 'verbs.generated.ts'), 'utf8');
  return [...index.matchAll(/^ {2}'([^']+)':/gm)].map(([, verb]) => verb);
}

function languages() {
  const index = readFileSync(join(root, 'src', 'graph', 'languages', 'index.generated.ts'), 'utf8');
  return [...index.matchAll(/^ {2}\| '(\w+)'/gm)].map(([, language]) => language);
}

const camel = (name) => name.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());

/** The number after the highest that `pattern` finds in the files. */
function nextNumber(files, pattern, step) {
  const found = files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, number]) => number));
  return Math.max(...found.map(Number)) + step;
}

function verbFiles() {
  const dirs = ['src/cli/commands', ...packs().map((pack) => `src/packs/${pack}/cli/commands`)];
  return dirs
    .map((dir) => join(root, dir))
    .filter((dir) => existsSync(dir))
    .flatMap((dir) => readdirSync(dir).map((name) => join(dir, name)))
    .filter((file) => file.endsWith('.ts'));
}

/** Manifests have a number among those of languages. */
function languageFiles() {
  const all = join(root, 'src', 'graph', 'languages');
  const folders = readdirSync(all).filter((name) => statSync(join(all, name)).isDirectory());
  return [
    ...folders.map((folder) => join(all, folder, 'language.ts')),
    join(root, 'scripts', 'generate', 'languages.mjs'),
  ];
}

function fill(template, values) {
  const text = readFileSync(join(root, 'scripts', 'new', template), 'utf8');
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, key) => {
    if (!(key in values)) throw new Error(`${template} asks for ${key}, which nobody gives`);
    return values[key];
  });
}

function write(files, values) {
  const taken = Object.keys(files).filter((path) => existsSync(join(root, path)));
  if (taken.length > 0) throw new Mistake(`the name is taken: ${taken.join(' and ')} exists`);
  for (const [path, template] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), fill(template, values));
  }
}

function runScript(path, args, failure) {
  const { status } = spawnSync(process.execPath, [join(root, path), ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 2],
  });
  if (status !== 0) throw new Mistake(failure);
}

/** How lines break depends on the length of the name. */
const layOut = (paths) =>
  runScript('node_modules/oxfmt/bin/oxfmt', paths, 'the files are written, but not laid out; run npm run format');

const generateIndexes = () =>
  runScript('scripts/generate-indexes.mjs', [], 'the indexes could not be written; mend that, then run npm run build');

function main([kind, name, ...more]) {
  if (name === undefined || more.length > 0 || !Object.hasOwn(KINDS, kind)) return false;
  const skeleton = KINDS[kind](name);
  const paths = Object.keys(skeleton.files);
  write(skeleton.files, skeleton.values);
  layOut(paths);
  generateIndexes();
  console.log(`wrote ${paths.join('\n      ')}`);
  console.log(`next: npx vitest run ${paths.find((path) => path.endsWith('.test.ts'))}, and do what it says`);
  return true;
}

process.exitCode = await runCommandLine({ name: 'new', help: HELP }, main);
