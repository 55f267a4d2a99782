import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';

/**
 * Bundles an entry point into one file for `src/platform/load-compiled.ts`, in which each part that is loaded late is a function
 * that has not run yet. V8 has next to nothing to do for such a function, while esbuild's own single file has all functions of
 * all parts at its top.
 */
export async function bundleLazily(esbuild, options, { entry, outfile, stamp }) {
  const { outputFiles, metafile } = await esbuild.build({
    ...options,
    entryPoints: { main: entry },
    outdir: 'parts',
    write: false,
    splitting: true,
    chunkNames: '[name]-[hash]',
    format: 'esm',
  });
  const parts = [];
  for (const { path, text } of outputFiles) {
    const { code } = await esbuild.transform(text, {
      format: 'cjs',
      platform: 'node',
      target: options.target,
      minifyWhitespace: true,
      minifySyntax: true,
      supported: { 'dynamic-import': false },
    });
    parts.push(`${JSON.stringify(`./${basename(path)}`)}(module,exports,require){${code}}`);
  }
  const program = escapeAll(`/*${stamp}*/${HEAD}"use strict";const parts={${parts.join(',\n')}};\n${LOADER}})`);
  mkdirSync(dirname(outfile), { recursive: true });
  writeFileSync(outfile, program);
  return {
    inputs: metafile.inputs,
    outputs: { [relative(options.absWorkingDir, outfile)]: summed(metafile, program) },
  };
}

/** What went into the file as esbuild would tell it, and which sources each part has. */
function summed({ outputs }, program) {
  const parts = Object.entries(outputs).map(([path, { inputs }]) => [`./${basename(path)}`, Object.keys(inputs)]);
  const inputs = Object.assign({}, ...Object.values(outputs).map((output) => output.inputs));
  return { bytes: program.length, imports: [], exports: [], inputs, parts: Object.fromEntries(parts) };
}

/** What Node puts around such a file; done here, because it would copy the whole text each time. */
const HEAD = '(function(exports,require,module,__filename,__dirname){';

/** A part that failed is tried again when it is next asked for. */
const LOADER = `const begun=new Map();
function load(name){
  if(!Object.hasOwn(parts,name))return require(name);
  const known=begun.get(name);
  if(known)return known.exports;
  const module={exports:{}};
  begun.set(name,module);
  try{parts[name](module,module.exports,load)}catch(error){begun.delete(name);throw error}
  return module.exports;
}
module.exports=load('./main.js');
`;

/** ASCII is read in a third of the time. esbuild leaves other characters in patterns, where an escape means the same. */
function escapeAll(text) {
  return text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
