import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFrom, isSource, loadModules } from './load-modules.mjs';

const PACKS = 'src/packs';

/** The data of every built-in rule, with an import of its code that runs only when the rule does, and what else packs have. */
export async function packIndexes(root) {
  const packs = readdirSync(join(root, PACKS), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  const rules = await Promise.all(packs.map((pack) => rulesOf(root, pack)));
  const files = Object.fromEntries(
    packs.map((pack, index) => [`${PACKS}/${pack}/index.generated.ts`, ruleIndex(rules[index])]),
  );
  files[`${PACKS}/index.generated.ts`] = packIndex(root, packs);
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

function packIndex(root, packs) {
  const variable = (pack) => pack.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());
  return (
    `${generatedFrom('the packs beside it')}import type { RuleEntry } from '../engine/registry.ts';\n` +
    `import type { PackJobsEntry } from '../jobs/job.ts';\n` +
    `import type { PackObserver } from '../telemetry/observer.ts';\n` +
    packs.map((pack) => `import { rules as ${variable(pack)} } from './${pack}/index.generated.ts';\n`).join('') +
    `\nexport const BUILT_IN: readonly RuleEntry[] = [${packs.map((pack) => `...${variable(pack)}`).join(', ')}];\n` +
    listLate(root, packs, 'PACK_JOBS', 'PackJobsEntry', 'jobs') +
    listLate(root, packs, 'PACK_OBSERVERS', 'PackObserver', 'observe')
  );
}

/** The list of what packs export as `name` from a file of that name; loaded when it is first needed. */
function listLate(root, packs, constant, type, name) {
  const having = packs.filter((pack) => existsSync(join(root, PACKS, pack, `${name}.ts`)));
  const lines = having.map(
    (pack) => `  { pack: '${pack}', load: async () => (await import('./${pack}/${name}.ts')).${name} },\n`,
  );
  const list = lines.length > 0 ? `[\n${lines.join('')}]` : '[]';
  return `\nexport const ${constant}: readonly ${type}[] = ${list};\n`;
}
