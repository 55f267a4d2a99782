// Writes the files that list things which lie in folders of their own: src/**/*.generated.ts, and
// what of them the native client and the manual need. Each module of scripts/generate/ makes those of one kind. `--check` writes nothing and fails when a file is out of date.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentIndexes, variablesHeader } from './generate/agents.mjs';
import { agentPlugins } from './generate/agent-plugins.mjs';
import { agentsPage } from './generate/agents-page.mjs';
import { languageIndexes } from './generate/languages.mjs';
import { packIndexes } from './generate/packs.mjs';
import { verbIndex } from './generate/verbs.mjs';

/** Each returns `seen`, what it counted, and `files`: path from the root → text. Later ones load what earlier ones wrote. */
const KINDS = [languageIndexes, agentIndexes, agentPlugins, verbIndex, packIndexes, variablesHeader, agentsPage];

const root = fileURLToPath(new URL('..', import.meta.url));
const check = process.argv.includes('--check');
const seen = [];
for (const generate of KINDS) {
  const made = await generate(root);
  seen.push(made.seen);
  const stale = Object.entries(made.files).filter(([path, text]) => readText(join(root, path)) !== text);
  if (check && stale.length > 0) {
    console.error(`out of date: ${stale.map(([path]) => path).join(', ')}; run node scripts/generate-indexes.mjs`);
    process.exit(1);
  }
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
console.log(`${seen.join(', ')}${check ? '; up to date' : ''}`);

function readText(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
