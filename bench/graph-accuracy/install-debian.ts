import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join, resolve } from 'node:path';
import type { GoCorpus, Installed, JavaCorpus, PythonCorpus } from './corpora.ts';
import { run } from './run.ts';

const AS_WE_ARE = ['-o', 'APT::Sandbox::User=root'];
const NEEDED_ALONE = ['suggests', 'recommends', 'conflicts', 'breaks', 'replaces', 'enhances'].map(
  (of) => `--no-${of}`,
);

/** Downloads packages and unpacks them into one folder without installing them: nothing of the machine changes. */
function unpack(scratch: string, packages: readonly string[]): string {
  const folder = join(scratch, 'debian');
  const unpacked = resolve(folder, 'unpacked');
  mkdirSync(unpacked, { recursive: true });
  const missing = packages.filter((name) => !existsSync(join(folder, `${name}.version`)));
  if (missing.length > 0) run('apt-get', [...AS_WE_ARE, 'download', ...missing], folder);
  for (const archive of readdirSync(folder).filter((name) => name.endsWith('.deb'))) {
    const [name = '', version = ''] = archive.split('_');
    run('dpkg', ['-x', archive, unpacked], folder);
    rmSync(join(folder, archive));
    writeFileSync(join(folder, `${name}.version`), version.replace('%3a', ':'));
  }
  return unpacked;
}

function versionOf(scratch: string, name: string): string {
  return readFileSync(join(scratch, 'debian', `${name}.version`), 'utf8');
}

/** Downloads a source package and gives its version. The lists of the machine's own mirrors are kept apart from its own. */
function fetchSource(scratch: string, name: string, into: string): string {
  const folder = resolve(scratch, 'debian', 'source');
  mkdirSync(join(folder, 'lists', 'partial'), { recursive: true });
  mkdirSync(join(folder, 'cache', 'archives', 'partial'), { recursive: true });
  const apart = [
    ...AS_WE_ARE,
    ...['Etc::SourceParts=/dev/null', `Etc::SourceList=${join(folder, 'sources.list')}`],
    ...[`State::Lists=${join(folder, 'lists')}`, `Cache=${join(folder, 'cache')}`],
  ].flatMap((option) => (/^(Etc|State|Cache)/.test(option) ? ['-o', `Dir::${option}`] : [option]));
  if (!existsSync(join(folder, 'sources.list'))) {
    const format = 'deb-src $(REPO_URI) $(CODENAME) $(COMPONENT)';
    const mirrors = run('apt-get', ['indextargets', '--format', format, 'Created-By: Packages'], folder);
    writeFileSync(join(folder, 'sources.list'), [...new Set(mirrors.split('\n'))].join('\n'));
    run('apt-get', [...apart, 'update'], folder);
  }
  run('apt-get', [...apart, 'source', '--download-only', name], folder);
  const control = readdirSync(folder).find((file) => file.startsWith(`${name}_`) && file.endsWith('.dsc'));
  if (control === undefined) throw new Error(`apt-get source ${name} left nothing`);
  rmSync(into, { recursive: true, force: true });
  run('dpkg-source', ['--no-check', '-x', control, into], folder);
  return control.slice(name.length + 1, -'.dsc'.length);
}

/** Fills the root of a corpus when there is none. */
function fill(scratch: string, name: string, take: (into: string) => void): string {
  const root = join(scratch, 'corpora', name, 'corpus');
  if (existsSync(root)) return root;
  const making = `${root}.new`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  take(making);
  renameSync(making, root);
  return root;
}

export function installPython(scratch: string, corpus: PythonCorpus): Installed {
  const unpacked = unpack(scratch, [corpus.package]);
  const root = fill(scratch, corpus.name, (into) => {
    const from = join(unpacked, 'usr', 'lib', 'python3', 'dist-packages', corpus.module);
    const filter = (path: string) => !path.endsWith('__pycache__');
    cpSync(from, join(into, corpus.module), { recursive: true, filter });
  });
  return { corpus, version: versionOf(scratch, corpus.package), root };
}

export function installGo(scratch: string, corpus: GoCorpus): Installed {
  const packages = [...new Set(Object.values(corpus.modules))];
  const unpacked = unpack(scratch, [...new Set(packages.flatMap(libraries))]);
  const root = fill(scratch, corpus.name, (into) => {
    const folders = goFolders(corpus);
    for (const [module, folder] of Object.entries(folders)) {
      const from = join(goPath(unpacked), 'src', module.replace(/\/v\d+$/, ''));
      cpSync(from, join(into, folder), { recursive: true });
      const manifest = join(into, folder, 'go.mod');
      if (!existsSync(manifest)) writeFileSync(manifest, `module ${module}\n`);
    }
    const used = Object.values(folders).map((folder) => `use ./${folder}\n`);
    if (used.length > 1) writeFileSync(join(into, 'go.work'), `go 1.19\n${used.join('')}`);
  });
  return { corpus, version: versionOf(scratch, corpus.package), root };
}

/** Where each module lies in its corpus: the only one is the corpus. */
export function goFolders({ modules }: GoCorpus): Readonly<Record<string, string>> {
  const paths = Object.keys(modules);
  return Object.fromEntries(paths.map((path) => [path, paths.length === 1 ? '' : basename(path)]));
}

export function goPath(unpacked: string): string {
  return join(unpacked, 'usr', 'share', 'gocode');
}

/** A Go library and all that it depends on; those that tests alone need come with the commonest of them. */
function libraries(name: string): readonly string[] {
  const asked = run('apt-cache', ['depends', '--recurse', ...NEEDED_ALONE, name, ...TEST_LIBRARIES], '.');
  return asked.split('\n').filter((line) => /^golang-.*-dev$/.test(line));
}

const TEST_LIBRARIES = ['golang-github-stretchr-testify-dev', 'golang-gopkg-check.v1-dev'];

export function installJava(scratch: string, corpus: JavaCorpus): Installed {
  unpack(scratch, corpus.with);
  const folder = join(scratch, 'corpora', corpus.name);
  const root = fill(scratch, corpus.name, (into) => {
    const sources = resolve(`${into}.source`);
    const version = fetchSource(scratch, corpus.package, sources);
    const filter = (path: string) => !/\/(debian|\.git|\.pc)$/.test(path);
    cpSync(sources, into, { recursive: true, filter });
    rmSync(sources, { recursive: true });
    writeFileSync(join(folder, 'version'), version);
  });
  return { corpus, version: readFileSync(join(folder, 'version'), 'utf8'), root };
}

/** The libraries that were unpacked for all corpora. */
export function classPath(scratch: string): string {
  const folder = resolve(scratch, 'debian', 'unpacked', 'usr', 'share', 'java');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jar'))
    .map((name) => join(folder, name))
    .join(delimiter);
}
