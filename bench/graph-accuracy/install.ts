import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, resolve, sep } from 'node:path';
import { TOOLS, type Corpus, type PythonCorpus, type TypeScriptCorpus } from './corpora.ts';

/** A corpus on disk. */
export interface Installed {
  readonly corpus: Corpus;
  readonly version: string;
  /** Holds its sources and nothing else that is indexed. */
  readonly root: string;
}

const NOT_SOURCE =
  /(^|[/\\])(tests?|__tests__|__mocks__|node_modules|benchmarks?)([/\\]|$)|\.(test|spec|test-d|bench)\.[cm]?[jt]sx?$/;

/** Where the judges are, installed once. */
export function installTools(scratch: string): string {
  const folder = join(scratch, 'tools');
  installNpm(folder, TOOLS);
  return folder;
}

export function installCorpus(scratch: string, corpus: Corpus): Installed {
  return corpus.language === 'ts' ? installTypeScript(scratch, corpus) : installPython(scratch, corpus);
}

function installTypeScript(scratch: string, corpus: TypeScriptCorpus): Installed {
  const folder = join(scratch, 'corpora', corpus.name);
  const root = join(folder, 'corpus');
  const changed = installNpm(folder, [`${corpus.package}@${corpus.version}`, ...corpus.with]);
  if (changed || !existsSync(root)) {
    const making = `${root}.new`;
    rmSync(making, { recursive: true, force: true });
    takeSources(join(folder, 'node_modules', corpus.package), making, corpus);
    rmSync(root, { recursive: true, force: true });
    renameSync(making, root);
  }
  return { corpus, version: corpus.version, root };
}

function takeSources(from: string, to: string, { take, tsconfig }: TypeScriptCorpus): void {
  mkdirSync(to, { recursive: true });
  cpSync(join(from, 'package.json'), join(to, 'package.json'));
  if (tsconfig !== undefined) writeFileSync(join(to, 'tsconfig.json'), JSON.stringify(tsconfig, null, 2));
  if (take === 'source-maps') return writeMapped(from, to);
  for (const name of take) {
    const base = join(from, name);
    cpSync(base, join(to, name), { recursive: true, filter: (path) => !NOT_SOURCE.test(path.slice(base.length)) });
  }
}

/** Some packages publish their sources only inside source maps. */
function writeMapped(from: string, to: string): void {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.js.map')) continue;
    const folder = entry.parentPath;
    const map = JSON.parse(readFileSync(join(folder, entry.name), 'utf8')) as {
      sources: string[];
      sourcesContent?: (string | null)[];
    };
    map.sources.forEach((source, n) => {
      const text = map.sourcesContent?.[n];
      const at = normalize(source)
        .split(sep)
        .filter((part) => part !== '..');
      if (typeof text !== 'string' || at[0] !== 'src' || NOT_SOURCE.test(at.join('/'))) return;
      const path = join(to, ...at);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    });
  }
}

/** Downloaded and unpacked without being installed: nothing of the machine changes. */
function installPython(scratch: string, corpus: PythonCorpus): Installed {
  const folder = join(scratch, 'corpora', corpus.name);
  const root = join(folder, 'corpus');
  const stamp = join(folder, 'version');
  if (!existsSync(stamp) || !existsSync(root)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    run('apt-get', ['-o', 'APT::Sandbox::User=root', 'download', corpus.package], folder);
    const archive = readdirSync(folder).find((name) => name.endsWith('.deb'));
    if (archive === undefined) throw new Error(`apt-get download ${corpus.package} left no archive`);
    run('dpkg', ['-x', archive, 'unpacked'], folder);
    const packages = join(folder, 'unpacked', 'usr', 'lib', 'python3', 'dist-packages');
    cpSync(join(packages, corpus.module), join(root, corpus.module), {
      recursive: true,
      filter: (path) => !NOT_SOURCE.test(path.slice(packages.length)) && !path.endsWith('__pycache__'),
    });
    rmSync(join(folder, 'unpacked'), { recursive: true });
    writeFileSync(stamp, archive.split('_')[1]?.replace('%3a', ':') ?? '');
  }
  return { corpus, version: readFileSync(stamp, 'utf8'), root };
}

/** True when something was installed. */
function installNpm(folder: string, packages: readonly string[]): boolean {
  const wanted = JSON.stringify(packages);
  const stamp = join(folder, 'installed.json');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return false;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  run(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps', '--loglevel=error', ...packages],
    resolve(folder),
  );
  writeFileSync(stamp, wanted);
  return true;
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (error !== undefined || status !== 0) {
    throw new Error(`${command} ${args.join(' ')} failed${error === undefined ? '' : `: ${error.message}`}`);
  }
}
