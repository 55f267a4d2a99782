import { basename, join } from 'node:path';

/**
 * Bundles an entry point into one CommonJS file, and each part that it loads late into a file beside it, so that a start that
 * does not need it does not read it. Such a file has the hash of its content in its name: a process that runs from the build
 * before loads what belongs to it.
 */
export async function bundleBeside(esbuild, options, { entry, outdir, name }) {
  const parts = [];
  const build = async (path, entryNames) => {
    const { metafile } = await esbuild.build({
      ...options,
      entryPoints: [path],
      outdir,
      entryNames,
      outExtension: { '.js': '.cjs' },
      format: 'cjs',
      plugins: [late],
      supported: { 'dynamic-import': false },
    });
    parts.push(metafile);
    return Object.keys(metafile.outputs).map((each) => basename(each))[0];
  };
  const late = {
    name: 'late',
    setup(bundler) {
      bundler.onResolve({ filter: /^\./ }, async ({ path, kind, resolveDir }) =>
        kind === 'dynamic-import'
          ? { path: `./${await build(join(resolveDir, path), '[name]-[hash]')}`, external: true }
          : undefined,
      );
    },
  };
  await build(entry, name);
  return {
    inputs: Object.assign({}, ...parts.map(({ inputs }) => inputs)),
    outputs: Object.assign({}, ...parts.map(({ outputs }) => outputs)),
  };
}
