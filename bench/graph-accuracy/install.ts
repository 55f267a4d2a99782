import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, resolve, sep } from 'node:path';
import { TOOLS, type Corpus, type Installed, type TypeScriptCorpus } from './corpora.ts';
import { installGo, installJava, installPython } from './install-debian.ts';
import { run } from './run.ts';

const NOT_SOURCE =
  /(^|[/\\])(tests?|__tests__|__mocks__|node_modules|benchmarks?)([/\\]|$)|\.(test|spec|test-d|bench)\.[cm]?[jt]sx?$/;

/** Where the judges are, installed once. */
export function installTools(scratch: string): string {
  const folder = join(scratch, 'tools');
  installNpm(folder, TOOLS);
  return folder;
}

export function installCorpus(scratch: string, corpus: Corpus): Installed {
  switch (corpus.language) {
    case 'ts':
      return installTypeScript(scratch, corpus);
    case 'py':
      return installPython(scratch, corpus);
    case 'go':
      return installGo(scratch, corpus);
    case 'java':
      return installJava(scratch, corpus);
  }
}

function installTypeScript(scratch: string, corpus: TypeScriptCorpus): Installed {
  const folder = join(scratch, 'corpora', corpus.name);
  const root = join(folder, 'corpus');
  const { fellows = [], version } = corpus;
  const names = [corpus.package, ...fellows];
  const changed = installNpm(folder, [...names.map((name) => `${name}@${version}`), ...corpus.with]);
  if (changed || !existsSync(root)) {
    const making = `${root}.new`;
    rmSync(making, { recursive: true, force: true });
    if (fellows.length > 0) takeWorkspace(folder, making, corpus, names);
    else takeSources(join(folder, 'node_modules', corpus.package), making, corpus);
    rmSync(root, { recursive: true, force: true });
    renameSync(making, root);
  }
  return { corpus, version, root };
}

/** As its developers have it: only the manifests lead from one package to the sources of another. */
function takeWorkspace(folder: string, to: string, corpus: TypeScriptCorpus, names: readonly string[]): void {
  mkdirSync(to, { recursive: true });
  writeFileSync(join(to, 'package.json'), JSON.stringify({ name: corpus.package, workspaces: ['packages/**'] }));
  for (const name of names) takeSources(join(folder, 'node_modules', name), join(to, 'packages', name), corpus);
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
