// Which source file uses what of which: for the figures of `npm run ratchet`, and for the tests that reach a file.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'oxc-parser';

const CODE = /\.(tsx?|mjs)$/;
export const isCode = (path) => CODE.test(path) && !path.endsWith('.d.ts') && !path.endsWith('.d.mts');
export const isGenerated = (path) => path.endsWith('.generated.ts');
/** What ships: tests, their shared parts and what they are given lie beside it. */
export const isProduct = (path) =>
  path.startsWith('src/') &&
  !/\.(test|fixture)\.tsx?$|[/-]contract\.ts$|\/(fixtures|__snapshots__)\//.test(path) &&
  !isGenerated(path);

/** Paths from the root, with slashes, of all files of some folders. */
export function listFiles(root, ...folders) {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => posix.join((entry.parentPath ?? entry.path).slice(root.length), entry.name)),
    )
    .map((path) => path.replaceAll('\\', '/').replace(/^\//, ''))
    .sort((one, other) => (one < other ? -1 : 1));
}

/**
 * The imports and exports of one file. An import is one of a target and names; `*` stands for all names, for whoever
 * has the whole module may use any. `from` says that an export is another file's, under the name it has there.
 */
export function readModule(path, text) {
  const { module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const resolve = (specifier) => (specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier);
  const imports = module.staticImports.map(({ moduleRequest, entries }) => ({
    target: resolve(moduleRequest.value),
    isType: entries.length > 0 && entries.every(({ isType }) => isType),
    names: entries.flatMap(({ importName, localName }) => namesOf(importName, localName.value, text)),
  }));
  const exports = [];
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, importName, exportName, isType } of entries) {
      const name = exportName.kind.startsWith('Default') ? 'default' : exportName.name;
      const target = moduleRequest && resolve(moduleRequest.value);
      const theirs = importName.name ?? '*';
      exports.push({ name: name ?? '*', isType, from: target ? { target, name: theirs } : undefined });
      if (target) imports.push({ target, isType, names: [] });
    }
  }
  // Neither is in the list of the parser's: types that name their module in place are left out there.
  for (const { index, 0: whole, 1: specifier } of text.matchAll(/\bimport\(\s*'(\.[^']+)'\s*\)/g)) {
    if (/^\s*(\/\/|\*|\/\*)/.test(text.slice(text.lastIndexOf('\n', index) + 1, index))) continue;
    const isType = /(\btypeof|[:=<|&(,]|\bas)\s*$/.test(text.slice(0, index)) && !isDynamic(module, index);
    imports.push({ target: resolve(specifier), isType, names: lateNames(text, index, index + whole.length) });
  }
  return { path, imports, exports };
}

const isDynamic = (module, start) => module.dynamicImports.some((each) => each.start === start);

function namesOf(importName, local, text) {
  if (importName.kind === 'Default') return ['default'];
  return importName.kind === 'Name' ? [importName.name] : membersOf(local, text);
}

/** `words` for `words.count(…)`; all where the whole is passed on. */
function membersOf(local, text) {
  const uses = [...text.matchAll(new RegExp(`(?<![.\\w$])${local}(?!\\w)(?:\\.(\\w+))?`, 'g'))].slice(1);
  return uses.length > 0 && uses.every(([, member]) => member) ? uses.map(([, member]) => member) : ['*'];
}

/** `(await import('x')).name`, `const { name } = await import('x')`, `import('x').then(({ name }) => …`, `import('x').Name`. */
function lateNames(text, start, end) {
  const [before, after] = [text.slice(Math.max(0, start - 200), start), text.slice(end, end + 200)];
  const list = /\{([^{}]*)\}\s*=\s*await\s+$/.exec(before)?.[1] ?? /^\s*\.then\(\s*\(\{([^{}]*)\}/.exec(after)?.[1];
  if (list)
    return list
      .split(',')
      .map((each) => each.split(':')[0].trim())
      .filter(Boolean);
  const member = /^\)?\s*\.(?!then\b)(\w+)/.exec(after)?.[1];
  if (member) return [member];
  const whole = /\b(\w+)\s*=\s*await\s+$/.exec(before)?.[1];
  return whole ? membersOf(whole, text) : ['*'];
}

/** Modules by path. `texts` are the files by path; others are read. */
export function readModules(root, paths) {
  return new Map(paths.filter(isCode).map((path) => [path, readModule(path, readFileSync(join(root, path), 'utf8'))]));
}

/** The file and the name that an exported name comes from, through files that only hand it on. */
export function originOf(modules, path, name, seen = new Set()) {
  const module = modules.get(path);
  if (!module || seen.has(path)) return undefined;
  seen.add(path);
  const own = module.exports.find((each) => each.name === name && each.name !== '*');
  if (own)
    return own.from && own.from.name !== '*'
      ? (originOf(modules, own.from.target, own.from.name, seen) ?? { path, name })
      : { path, name };
  for (const { name: all, from } of module.exports) {
    const found = all === '*' && from ? originOf(modules, from.target, name, seen) : undefined;
    if (found) return found;
  }
  return undefined;
}
