// Writes the files that list things which lie in folders of their own: src/**/index.generated.ts. Each module of
// scripts/generate/ makes those of one kind. `--check` writes nothing and fails when a file is out of date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packIndexes } from './generate/packs.mjs';

/** Each returns `seen`, what it counted, and `files`: path from the root → text. */
const KINDS = [packIndexes];

const root = fileURLToPath(new URL('..', import.meta.url));
const check = process.argv.includes('--check');
const made = await Promise.all(KINDS.map((generate) => generate(root)));
const stale = made
  .flatMap(({ files }) => Object.entries(files))
  .filter(([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text);

if (check && stale.length > 0) {
  console.error(`out of date: ${stale.map(([path]) => path).join(', ')}; run node scripts/generate-indexes.mjs`);
  process.exit(1);
}
for (const [path, text] of stale) writeFileSync(join(root, path), text);
console.log(`${made.map(({ seen }) => seen).join(', ')}${check ? '; up to date' : ''}`);
