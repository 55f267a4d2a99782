import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Installed, Judged } from './corpora.ts';
import { classPath, goFolders, goPath } from './install-debian.ts';
import { run } from './run.ts';
import type { Member, Place, Site } from './score.ts';

/** What the real parser and the type checker say about a corpus. */
export interface Oracle {
  /** The files it has read. */
  readonly files: ReadonlySet<string>;
  /** Files of other builds, which it leaves out: edges that lead there are not judged. */
  readonly variants: ReadonlySet<string>;
  /** Members of interfaces and bases, with what may be called instead. */
  readonly members: readonly Member[];
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
const PARTS: Readonly<Record<Judged, readonly string[]>> = {
  ts: ['typescript-oracle.mjs'],
  py: ['python-oracle.mjs', 'python-names.py'],
  go: ['go-oracle.go', 'go-oracle-verdicts.go'],
  java: ['JavaOracle.java'],
};

/** Asked once for each version of a corpus and of the judge; kept in the scratch folder. */
export function askOracle(scratch: string, tools: string, installed: Installed): Oracle {
  const { corpus, version } = installed;
  const hash = createHash('sha256').update(JSON.stringify(corpus)).update(judgeOf(tools, corpus.language));
  for (const part of PARTS[corpus.language]) hash.update(readFileSync(join(HERE, part)));
  const folder = join(scratch, 'oracle');
  const path = join(folder, `${corpus.name}-${version}-${hash.digest('hex').slice(0, 12)}.jsonl`);
  if (!existsSync(path)) {
    process.stderr.write(`${corpus.name}: asking the type checker\n`);
    const said = ask(scratch, tools, installed);
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${path}.new`, said);
    renameSync(`${path}.new`, path);
  }
  return readOracle(readFileSync(path, 'utf8'));
}

/** The judge with its version. */
function judgeOf(tools: string, language: Judged): string {
  const command = COMMANDS[language];
  if (command === undefined) return readFileSync(join(tools, 'installed.json'), 'utf8');
  return run(command, [language === 'go' ? 'version' : '--version'], '.');
}

/** Judges that have to be on the machine, with what is missing in words. */
export function missingJudges(languages: Iterable<Judged>): string[] {
  const commands = new Set([...languages].map((language) => COMMANDS[language] ?? process.execPath));
  return [...commands].filter((command) => spawnSync(command, ['version'], { stdio: 'ignore' }).error !== undefined);
}

const COMMANDS: Readonly<Partial<Record<Judged, string>>> = { go: 'go', java: 'java' };

function ask(scratch: string, tools: string, { corpus, root }: Installed): string {
  const parts = PARTS[corpus.language].map((part) => resolve(HERE, part));
  if (corpus.language === 'go') {
    const libraries = goPath(resolve(scratch, 'debian', 'unpacked'));
    // Nothing is looked for in the network: what is not there is not known.
    const env = { GO111MODULE: 'off', GOFLAGS: '', GOPATH: libraries };
    return run('go', ['run', ...parts, resolve(root), libraries, JSON.stringify(goFolders(corpus))], '.', env);
  }
  if (corpus.language === 'java') {
    const inside = ['api', 'code', 'tree', 'util'].map((name) => `jdk.compiler/com.sun.tools.javac.${name}`);
    const exported = inside.flatMap((name) => ['--add-exports', `${name}=ALL-UNNAMED`]);
    return run('java', [...exported, ...parts, resolve(root), classPath(scratch)], '.');
  }
  const options = corpus.language === 'ts' ? JSON.stringify(corpus.options ?? {}) : '';
  const args = ['--max-old-space-size=6144', parts[0] ?? '', resolve(tools), resolve(root), options];
  return run(process.execPath, args, root);
}

type Line =
  | { readonly is: 'file'; readonly file: string }
  | { readonly is: 'variant'; readonly file: string }
  | ({ readonly is: 'member' } & Omit<Member, 'targets'> & Partial<Pick<Member, 'targets'>>)
  | ({ readonly is: 'site' } & Omit<Site, 'targets'> & Partial<Pick<Site, 'targets'>>)
  | ({ readonly is: 'definition' } & Named)
  | ({ readonly is: 'name' } & Named)
  | ({ readonly is: 'blurred' } & Oracle['blurred'][number]);

export function readOracle(text: string): Oracle {
  const oracle = {
    files: new Set<string>(),
    variants: new Set<string>(),
    members: [] as Member[],
    sites: [] as Site[],
    definitions: [] as Named[],
    names: [] as Named[],
    blurred: [] as Oracle['blurred'][number][],
  };
  for (const json of text.trimEnd().split('\n')) {
    const line = JSON.parse(json) as Line;
    if (line.is === 'site') oracle.sites.push({ ...line, targets: line.targets ?? [] });
    else if (line.is === 'member') oracle.members.push({ ...line, targets: line.targets ?? [] });
    else if (line.is === 'definition') oracle.definitions.push(line);
    else if (line.is === 'name') oracle.names.push(line);
    else if (line.is === 'file') oracle.files.add(line.file);
    else if (line.is === 'variant') oracle.variants.add(line.file);
    else oracle.blurred.push(line);
  }
  return oracle;
}
