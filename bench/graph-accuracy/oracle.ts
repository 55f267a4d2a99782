import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Installed } from './install.ts';
import type { Place, Site } from './score.ts';

/** What the real parser and the type checker say about a corpus. */
export interface Oracle {
  /** The files it has read. */
  readonly files: ReadonlySet<string>;
  readonly sites: readonly Site[];
  /** What the index has to list. */
  readonly definitions: readonly Named[];
  /** Names of other declarations, which it may list. */
  readonly names: readonly Named[];
  /** Where the parser's places cannot be relied on: CPython 3.11 counts wrong inside some f-strings. */
  readonly blurred: readonly { readonly from: Place; readonly to: Place }[];
}

export interface Named extends Place {
  readonly kind: string;
  readonly name: string;
}

const HERE = 'bench/graph-accuracy';
const PARTS = { ts: ['typescript-oracle.mjs'], py: ['python-oracle.mjs', 'python-names.py'] } as const;

/** Asked once for each version of a corpus and of the judge's script; kept in the scratch folder. */
export function askOracle(scratch: string, tools: string, { corpus, version, root }: Installed): Oracle {
  const options = corpus.language === 'ts' ? JSON.stringify(corpus.options ?? {}) : '';
  const hash = createHash('sha256')
    .update(options)
    .update(readFileSync(join(tools, 'installed.json')));
  for (const part of PARTS[corpus.language]) hash.update(readFileSync(join(HERE, part)));
  const folder = join(scratch, 'oracle');
  const path = join(folder, `${corpus.name}-${version}-${hash.digest('hex').slice(0, 12)}.jsonl`);
  if (!existsSync(path)) {
    process.stderr.write(`${corpus.name}: asking the type checker\n`);
    const script = resolve(HERE, PARTS[corpus.language][0]);
    const args = ['--max-old-space-size=6144', script, resolve(tools), resolve(root), options];
    const { status, stdout } = spawnSync(process.execPath, args, {
      cwd: root,
      maxBuffer: 2 ** 30,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (status !== 0) throw new Error(`${script} failed for ${corpus.name}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${path}.new`, stdout);
    renameSync(`${path}.new`, path);
  }
  return readOracle(readFileSync(path, 'utf8'));
}

type Line =
  | { readonly is: 'file'; readonly file: string }
  | ({ readonly is: 'site' } & Omit<Site, 'targets'> & Partial<Pick<Site, 'targets'>>)
  | ({ readonly is: 'definition' } & Named)
  | ({ readonly is: 'name' } & Named)
  | ({ readonly is: 'blurred' } & Oracle['blurred'][number]);

export function readOracle(text: string): Oracle {
  const files = new Set<string>();
  const sites: Site[] = [];
  const definitions: Named[] = [];
  const names: Named[] = [];
  const blurred: Oracle['blurred'][number][] = [];
  for (const json of text.trimEnd().split('\n')) {
    const line = JSON.parse(json) as Line;
    if (line.is === 'site') sites.push({ ...line, targets: line.targets ?? [] });
    else if (line.is === 'definition') definitions.push(line);
    else if (line.is === 'name') names.push(line);
    else if (line.is === 'file') files.add(line.file);
    else blurred.push(line);
  }
  return { files, sites, definitions, names, blurred };
}
