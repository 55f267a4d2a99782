import { isGenerated, isProduct, originOf } from '../source-graph.mjs';
import { ROOMS, roomOf } from './rooms.mjs';

export const ONE_IMPORTER = 'files with one importer';
export const ONE_USER = 'names with one user';

/** Lines and bytes by room, as `core` and `core.bytes`. Throws where a file has no room. `texts`: path → bytes. */
export function measureRooms(texts) {
  const figures = Object.fromEntries(
    ROOMS.flatMap((room) => [
      [room, 0],
      [`${room}.bytes`, 0],
    ]),
  );
  const homeless = [];
  for (const [path, bytes] of texts) {
    if (!isProduct(path)) continue;
    const room = roomOf(path);
    if (!room) {
      homeless.push(path);
      continue;
    }
    figures[room] += linesOf(bytes);
    figures[`${room}.bytes`] += bytes.length;
  }
  if (homeless.length > 0) throw new Error(`in no room of scripts/ratchet/rooms.mjs: ${homeless.join(', ')}`);
  return figures;
}

function linesOf(bytes) {
  let lines = bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1;
  return lines;
}

/** By whom each file is imported and each exported name is used, among the product and its generated lists. */
export function findUsers(modules) {
  const importers = new Map();
  const users = new Map();
  const add = (map, key, path) => map.set(key, (map.get(key) ?? new Set()).add(path));
  const use = (target, name, path) => {
    const origin = originOf(modules, target, name);
    if (origin && origin.path !== path) add(users, `${origin.path}#${origin.name}`, path);
  };
  for (const { path, imports } of modules.values()) {
    for (const { target, names } of imports) {
      const module = modules.get(target);
      if (!module || target === path) continue;
      add(importers, target, path);
      for (const name of names.includes('*') ? allNames(modules, target) : names) use(target, name, path);
    }
  }
  return { importers, users };
}

function allNames(modules, path, seen = new Set()) {
  if (seen.has(path)) return [];
  seen.add(path);
  const exports = modules.get(path)?.exports ?? [];
  return exports.flatMap(({ name, from }) => (name === '*' ? allNames(modules, from?.target, seen) : [name]));
}

/**
 * Files with exactly one importer, and exported names with exactly one other file that uses them, tests left aside.
 * What a generated list imports is a thing of its own, as a rule or a verb; so is what a process starts with (`isEntry`).
 */
export function findLoners(modules, isEntry) {
  const { importers, users } = findUsers(modules);
  const isAlone = (set) => set?.size === 1 && !isGenerated([...set][0]);
  const files = [...modules.keys()].filter((path) => isProduct(path) && !isEntry(path) && isAlone(importers.get(path)));
  const names = [...users].filter(([, set]) => isAlone(set)).map(([name]) => name);
  return { files, names: names.filter((name) => isProduct(name.split('#')[0])) };
}
