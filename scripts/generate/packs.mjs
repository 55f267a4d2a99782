import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFrom, isSource, loadModules } from './load-modules.mjs';

const PACKS = 'src/packs';

/** The data of every built-in rule, with an import of its code that runs only when the rule does, and what else packs have. */
export async function packIndexes(root) {
  const packs = readdirSync(join(root, PACKS), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort();
  const rules = await Promise.all(packs.map((pack) => rulesOf(root, pack)));
  const files = Object.fromEntries(
    packs.map((pack, index) => [`${PACKS}/${pack}/index.generated.ts`, ruleIndex(rules[index])]),
  );
  files[`${PACKS}/index.generated.ts`] = packIndex(root, packs);
  files[`${PACKS}/cli.generated.ts`] = cliIndex(root, packs);
  files['src/event/packs.generated.ts'] = await packData(root, packs);
  return { seen: `${rules.flat().length} rules in ${packs.length} packs`, files };
}

async function rulesOf(root, pack) {
  const names = readdirSync(join(root, PACKS, pack))
    .filter(isSource)
    .sort();
  const modules = await loadModules(
    root,
    names.map((name) => `${PACKS}/${pack}/${name}`),
  );
  return names.flatMap((file, index) => {
    const rule = modules[index].default;
    if (typeof rule?.check !== 'function') return [];
    const name = file.replace(/\.ts$/, '');
    const { check: _, ...meta } = rule;
    if (meta.id !== `${pack}/${name}`)
      throw new Error(`${PACKS}/${pack}/${file} declares the id ${meta.id}; it must be ${pack}/${name}`);
    return [{ name, meta }];
  });
}

function ruleIndex(rules) {
  const entries = rules.map(
    ({ name, meta }) =>
      `  {\n    meta: ${JSON.stringify(meta)},\n    load: async () => (await import('./${name}.ts')).default,\n  },\n`,
  );
  return (
    `${generatedFrom('the rules beside it')}import type { RuleEntry } from '../../engine/registry.ts';\n` +
    `\nexport const rules: readonly RuleEntry[] = [\n${entries.join('')}];\n`
  );
}

async function packData(root, packs) {
  const undeclared = packs.find((pack) => !existsSync(join(root, PACKS, pack, 'pack.ts')));
  if (undeclared) throw new Error(`${PACKS}/${undeclared} has no pack.ts, which says what the pack is`);
  const modules = await loadModules(
    root,
    packs.map((pack) => `${PACKS}/${pack}/pack.ts`),
  );
  const entries = packs.map((pack, index) => `  '${pack}': ${JSON.stringify(modules[index].pack)},\n`);
  return (
    `${generatedFrom('the pack.ts of every pack')}import type { Pack } from './pack.ts';\n\n` +
    `export const PACKS: Readonly<Record<string, Pack>> = {\n${entries.join('')}};\n`
  );
}

function packIndex(root, packs) {
  const variable = (pack) => pack.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());
  return (
    `${generatedFrom('the packs beside it')}import type { RuleEntry } from '../engine/registry.ts';\n` +
    `import type { PackBorrowed } from '../event/pack.ts';\n` +
    `import type { PackJobsEntry } from '../jobs/job.ts';\n` +
    `import type { PackObserver } from '../telemetry/observer.ts';\n` +
    packs.map((pack) => `import { rules as ${variable(pack)} } from './${pack}/index.generated.ts';\n`).join('') +
    `\nexport const BUILT_IN: readonly RuleEntry[] = [${packs.map((pack) => `...${variable(pack)}`).join(', ')}];\n` +
    listLate(root, packs, 'PACK_JOBS', 'PackJobsEntry', 'jobs') +
    listLate(root, packs, 'PACK_OBSERVERS', 'PackObserver', 'observe') +
    listLate(root, packs, 'PACK_BORROWED', 'PackBorrowed', 'borrowed')
  );
}

/** The parts of packs for the command line. */
function cliIndex(root, packs) {
  return (
    `${generatedFrom('the packs beside it')}import type { PackDoctor, PackPage, PackPart, PackSetup, PackStatus, StatsView } from '../cli/pack-parts.ts';\n` +
    listLate(root, packs, 'PACK_DOCTORS', 'PackPart<PackDoctor>', 'doctor', 'cli/') +
    listLate(root, packs, 'PACK_PAGES', 'PackPart<PackPage>', 'page', 'cli/') +
    listLate(root, packs, 'PACK_SETUPS', 'PackPart<PackSetup>', 'setup', 'cli/') +
    listLate(root, packs, 'PACK_STATS', 'PackPart<StatsView>', 'stats', 'cli/') +
    listLate(root, packs, 'PACK_STATUS', 'PackPart<PackStatus>', 'statusline', 'cli/')
  );
}

/** The list of what packs export as `name` from a file of that name; loaded when it is first needed. */
function listLate(root, packs, constant, type, name, folder = '') {
  const having = packs.filter((pack) => existsSync(join(root, PACKS, pack, `${folder}${name}.ts`)));
  const lines = having.map(
    (pack) => `  { pack: '${pack}', load: async () => (await import('./${pack}/${folder}${name}.ts')).${name} },\n`,
  );
  const list = lines.length > 0 ? `[\n${lines.join('')}]` : '[]';
  return `\nexport const ${constant}: readonly ${type}[] = ${list};\n`;
}
