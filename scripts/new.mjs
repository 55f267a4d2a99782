// `npm run new rule NAME`: writes a skeleton that passes every check, and a test that fails and says what to do next.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './prepare.mjs';

const HELP = `npm run new KIND NAME

  rule PACK/NAME        a rule of a pack

Names are words in lower case, joined by hyphens. Nothing is overwritten. The new test fails until you have done what
it says.`;
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** The person's mistake: its message is all there is to say. */
class NewError extends Error {}

/** By kind: from the given name to the files, path → template, and what the templates have in braces. */
const KINDS = {
  rule(given) {
    const { pack, name } = splitName(given);
    if (pack === undefined) throw new NewError(`a rule belongs to a pack: npm run new rule PACK/${name}`);
    const dir = `src/packs/${pack}`;
    return {
      files: { [`${dir}/${name}.ts`]: 'rule.ts.txt', [`${dir}/${name}.test.ts`]: 'rule.test.ts.txt' },
      values: { pack, name },
    };
  },
};

function splitName(given) {
  const parts = given.split('/');
  const name = parts.pop();
  const [pack] = parts;
  if (parts.length > 1) throw new NewError(`"${given}" is not a name: write NAME or PACK/NAME`);
  checkName(name);
  if (pack !== undefined && !packs().includes(pack))
    throw new NewError(`there is no pack "${pack}"; there are ${packs().join(', ')}`);
  return { pack, name };
}

function checkName(name) {
  if (!NAME.test(name)) throw new NewError(`"${name}" is not a name: write words in lower case, joined by hyphens`);
}

function packs() {
  const all = join(root, 'src', 'packs');
  return readdirSync(all).filter((name) => statSync(join(all, name)).isDirectory());
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
  if (taken.length > 0) throw new NewError(`the name is taken: ${taken.join(' and ')} exists`);
  for (const [path, template] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), fill(template, values));
  }
}

function generateIndexes() {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'generate-indexes.mjs')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 2],
  });
  if (status !== 0) throw new NewError('the indexes could not be written; mend that, then run npm run build');
}

function main() {
  let values, positionals;
  try {
    const options = { help: { type: 'boolean', short: 'h', default: false } };
    ({ values, positionals } = parseArgs({ options, allowPositionals: true }));
  } catch (error) {
    console.error(`${error.message}\n\n${HELP}`);
    return 2;
  }
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const [kind, name] = positionals;
  if (positionals.length !== 2 || !Object.hasOwn(KINDS, kind)) {
    console.error(HELP);
    return 2;
  }
  try {
    const skeleton = KINDS[kind](name);
    write(skeleton.files, skeleton.values);
    generateIndexes();
    const paths = Object.keys(skeleton.files);
    console.log(`wrote ${paths.join('\n      ')}`);
    console.log(`next: npx vitest run ${paths.find((path) => path.endsWith('.test.ts'))}, and do what it says`);
    return 0;
  } catch (error) {
    if (!(error instanceof NewError)) throw error;
    console.error(`new: ${error.message}`);
    return 1;
  }
}

process.exitCode = main();
