// Bundles src/ into dist/. A process that runs from dist while this writes keeps working: chunks have the hash of
// their content in their name and are added first, entry points are replaced by one rename each, and the chunks of
// the build before stay until the next one.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildClient } from './build-client.mjs';
import { bundleBeside } from './bundle-beside.mjs';
import { bundleLazily } from './bundle-lazily.mjs';
import { root, scratch, withLock } from './prepare.mjs';
import { hashSources, newestSource } from './sources.mjs';

const { version, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const ENTRY_POINTS = {
  daemon: 'src/daemon.ts',
  indexer: 'src/indexer.ts',
  copier: 'src/copier.ts',
  'take-out': 'src/take-out.ts',
};
/** One file each, so that what is compiled of it can be kept in one: `src/platform/load-compiled.ts`. */
const COMPILED = { 'one-shot.cjs': 'src/assembly/one-shot.ts', 'cli.cjs': 'src/cli/main.ts' };
/** Entry points that start often. They are no modules, because Node takes long to make its loader of modules ready. */
const STARTED = { hook: 'src/hook.ts', client: 'src/client.ts', command: 'src/cli.ts' };
/** The same as modules. Launchers and plugins look for the first to see whether a package is whole, those of earlier builds too. */
const AS_MODULES = { 'hook.js': 'hook.cjs', 'cli.js': 'command.cjs' };
/** The parser of the code graph, and the grammars that the project depends on; `src/platform/grammars.ts` reads them. */
const GRAMMARS = ['web-tree-sitter', ...Object.keys(devDependencies).filter((name) => name.startsWith('tree-sitter-'))]
  .flatMap((name) => readdirSync(join(root, 'node_modules', name)).map((file) => `${name}/${file}`))
  .filter((path) => path.endsWith('.wasm'));
/** What makes PNG of pictures, by the name it has here; `src/platform/picture-renderer.ts` reads it. */
const PICTURES = {
  'resvg.wasm': '@resvg/resvg-wasm/index_bg.wasm',
  'DejaVuSans.ttf': 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  'DejaVuSans-Bold.ttf': 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
  'DejaVu-LICENSE.txt': 'dejavu-fonts-ttf/LICENSE',
};
/** Files of development packages that reach the user as they are; the bill of materials of a release names them. */
export const COPIED_DATA = [...GRAMMARS, ...Object.values(PICTURES)];
// What is not bundled is required, which an ES module cannot do by itself.
const REQUIRE = "import{createRequire as $r}from'node:module';globalThis.require??=$r(import.meta.url);";
const CLIENT = 'fairlead-client';
/** Where the command line of a clone keeps what it compiles; a package has no such directory, and keeps it in the state. */
const CODE = 'code';
const dist = join(root, 'dist');

/** Importing Node's own modules also loads the parts that they keep back until used, such as streams; requiring does not. */
const requireOutside = {
  name: 'require-outside',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^(node:|@photostructure\/sqlite$)/ }, ({ path, kind }) =>
      kind === 'require-call' ? { external: true } : { path, namespace: 'outside' },
    );
    esbuild.onLoad({ filter: /./, namespace: 'outside' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`,
    }));
  },
};

export async function build() {
  generateIndexes();
  const seen = newestSource(root);
  const sources = hashSources(root);
  const fresh = join(scratch, 'dist');
  rmSync(fresh, { recursive: true, force: true });
  const builtAt = new Date();
  const stampText = `${version}+${builtAt.getTime()}.${sources.slice(0, 12)}`;
  const metafile = await bundle(fresh, { sources, stampText });
  writeFileSync(join(fresh, 'meta.json'), JSON.stringify(metafile).replaceAll('".build/dist/', '"dist/'));
  for (const [name, started] of Object.entries(AS_MODULES))
    writeFileSync(join(fresh, name), `import './${started}';\n`);
  const bundled = Object.keys(metafile.outputs).map((path) => relative(fresh, join(root, path)));
  const files = [...bundled, ...Object.keys(AS_MODULES)];
  const client = buildClient({ root, out: join(fresh, CLIENT), stamp: stampText });
  if (client.built) files.push(CLIENT);
  else process.stderr.write(`fairlead: no native client, hooks start Node instead (${client.why})\n`);
  const late = loadedLate(metafile.outputs);
  const stamp = {
    version,
    stamp: stampText,
    sources,
    newestSource: seen,
    builtAt: builtAt.toISOString(),
    client,
    files,
    late,
  };
  writeFileSync(join(fresh, 'build.json'), JSON.stringify(stamp, null, 2));
  copyData('grammars', Object.fromEntries(GRAMMARS.map((path) => [basename(path), path])));
  copyData('pictures', PICTURES);
  await buildPage();
  publish(fresh, files);
  mkdirSync(join(dist, CODE), { recursive: true, mode: 0o700 });
  return { files, bytes: files.reduce((sum, file) => sum + statSync(join(dist, file)).size, 0) };
}

function generateIndexes() {
  const generator = join(root, 'scripts', 'generate-indexes.mjs');
  if (!existsSync(generator)) return;
  const { status } = spawnSync(process.execPath, [generator], { cwd: root, stdio: ['ignore', 'ignore', 2] });
  if (status !== 0) throw new Error('the generated indexes could not be written');
}

async function bundle(outdir, { sources, stampText }) {
  const esbuild = await import('esbuild');
  const metafile = { inputs: {}, outputs: {} };
  const define = {
    __FAIRLEAD_VERSION__: JSON.stringify(version),
    __FAIRLEAD_BUILD__: JSON.stringify(sources),
    __FAIRLEAD_STAMP__: JSON.stringify(stampText),
  };
  const shared = {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node20',
    // They find what belongs to this machine by themselves.
    external: ['oxc-parser', '@photostructure/sqlite'],
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  };
  try {
    const take = ({ inputs, outputs }) => {
      Object.assign(metafile.inputs, inputs);
      Object.assign(metafile.outputs, outputs);
    };
    const single = {
      ...shared,
      minifyWhitespace: true,
      minifySyntax: true,
      define: { ...define, 'import.meta.dirname': '__dirname', 'import.meta.url': '__filename' },
    };
    for (const [name, entry] of Object.entries(COMPILED)) {
      const outfile = join(outdir, name);
      take(await bundleLazily(esbuild, single, { entry, outfile, stamp: stampText }));
    }
    for (const [name, entry] of Object.entries(STARTED))
      take(await bundleBeside(esbuild, single, { entry, outdir, name }));
    // Each by itself: what two entry points share would be split into many small files, and every hook pays for each.
    for (const [name, path] of Object.entries(ENTRY_POINTS)) {
      const { metafile: part } = await esbuild.build({
        ...shared,
        entryPoints: { [name]: path },
        outdir,
        splitting: true,
        // All output lies side by side, so a path relative to import.meta.url holds in whatever chunk it ends up.
        chunkNames: '[name]-[hash]',
        format: 'esm',
        plugins: [requireOutside],
        define,
        banner: { js: REQUIRE },
      });
      take(part);
    }
    return metafile;
  } finally {
    await esbuild.stop();
  }
}

/** What a setting asks for, works after replies and can wait for the next daemon: to have it ahead would take 10 MB. */
const ON_DEMAND = ['src/team/state/open-sync.ts', 'src/telemetry/otlp/exporter.ts'];

/** What the daemon imports while it runs; `src/daemon.ts` loads it ahead, which works for what is named in its own file. */
function loadedLate(outputs) {
  const start = Object.keys(outputs).find((path) => basename(path) === 'daemon.js');
  const late = new Set();
  const reached = new Set([start]);
  for (const path of reached) {
    for (const { path: target, kind } of outputs[path].imports.filter((each) => each.path in outputs)) {
      if (kind === 'dynamic-import' && path !== start)
        throw new Error(`${path} imports ${target} late, and daemon.js does not`);
      if (kind === 'dynamic-import' && !ON_DEMAND.includes(outputs[target].entryPoint)) late.add(basename(target));
      reached.add(target);
    }
  }
  return [...late];
}

/** They are data of pinned packages, large, and seldom change: only what is new is written, and by a rename. */
function copyData(folder, files) {
  const to = join(dist, folder);
  mkdirSync(to, { recursive: true });
  for (const [name, path] of Object.entries(files)) {
    const bytes = readFileSync(join(root, 'node_modules', path));
    const [file, part] = [join(to, name), join(scratch, name)];
    if (existsSync(file) && readFileSync(file).equals(bytes)) continue;
    writeFileSync(part, bytes);
    renameSync(part, file);
  }
  for (const name of readdirSync(to)) if (!(name in files)) rmSync(join(to, name));
}

/** What runs in the browser: one script, one style sheet and what names them; `src/platform/page-files.ts` reads it. */
async function buildPage() {
  const esbuild = await import('esbuild');
  const to = join(dist, 'page');
  mkdirSync(to, { recursive: true });
  const from = join(root, 'src', 'page');
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [join(from, 'app.tsx'), join(from, 'report.tsx'), join(from, 'style.css')],
    outdir: to,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    write: false,
    logLevel: 'warning',
  });
  await esbuild.stop();
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  for (const name of ['index.html', 'icon.svg']) files.set(name, readFileSync(join(from, name)));
  for (const [name, bytes] of files) {
    const part = join(scratch, `page-${name}`);
    writeFileSync(part, bytes);
    renameSync(part, join(to, name));
  }
}

function publish(fresh, files) {
  mkdirSync(dist, { recursive: true });
  const before = readFilesOf(join(dist, 'build.json'));
  const modules = Object.keys(ENTRY_POINTS).map((name) => `${name}.js`);
  const started = Object.keys(STARTED).map((name) => `${name}.cjs`);
  const entries = new Set([...started, ...Object.keys(AS_MODULES), ...modules]);
  const isEntry = (file) => entries.has(file);
  const inOrder = [...files.filter((file) => !isEntry(file)), ...files.filter(isEntry), 'meta.json', 'build.json'];
  for (const file of inOrder) renameSync(join(fresh, file), join(dist, file));
  rmSync(fresh, { recursive: true });
  // A client stays when no new one could be built: settings of agents name it.
  const keep = new Set([...inOrder, ...before, CLIENT, CODE, 'grammars', 'pictures', 'page']);
  for (const file of readdirSync(dist)) if (!keep.has(file)) rmSync(join(dist, file), { recursive: true });
}

function readFilesOf(stamp) {
  try {
    return JSON.parse(readFileSync(stamp, 'utf8')).files ?? [];
  } catch {
    return [];
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { files, bytes } = await withLock(build);
  console.log(`built ${files.length} files, ${Math.round(bytes / 1024)} KiB, into dist/`);
}
