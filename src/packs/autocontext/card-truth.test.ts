import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openCards } from './autocontext.fixture.ts';

/** Numbers that depend on the seed alone. */
function random(seed: number): (below: number) => number {
  let state = seed * 7_919 + 1;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

interface Planned {
  readonly path: string;
  readonly names: readonly string[];
}

/** Modules whose functions call each other, some with names that no card has room for. */
function plan(pick: (below: number) => number): {
  readonly modules: readonly Planned[];
  readonly tree: Record<string, string>;
} {
  const modules = Array.from({ length: 10 }, (_, n): Planned => {
    const folder = ['src', 'packages/core/src', 'test', `src/${'deep/'.repeat(pick(12))}x`][pick(4)];
    const names = Array.from({ length: 1 + pick(4) }, (__, at) => `f${n}_${at}${'_long'.repeat(pick(3) * pick(12))}`);
    return { path: `${folder}/m${n}.${folder === 'test' ? 'test.ts' : 'ts'}`, names };
  });
  const tree: Record<string, string> = { 'packages/core/package.json': '{ "name": "@x/core" }' };
  modules.forEach(({ path, names }, at) => {
    const others = modules.filter((_, other) => other !== at && pick(2) === 0);
    const up = '../'.repeat(path.split('/').length - 1);
    const imports = others.map((other) => `import { ${other.names.join(', ')} } from '${up}${other.path}';\n`);
    const known = [...names, ...others.flatMap((other) => other.names)];
    const bodies = names.map((name) => {
      const calls = Array.from({ length: pick(6) }, () => `  ${known[pick(known.length)]}();\n`);
      return `${pick(4) === 0 ? '' : 'export '}function ${name}() {\n${calls.join('')}}\n`;
    });
    tree[path] = `${imports.join('')}${bodies.join('\n')}`;
  });
  return { modules, tree };
}

/** What an editor or a branch switch does, without a word to anybody. */
function disturb(text: string, pick: (below: number) => number): string {
  const lines = text.split('\n');
  const at = pick(lines.length);
  if (pick(3) === 0) lines.splice(at, 1);
  else if (pick(2) === 0) lines.splice(at, 0, '// another line');
  else lines[at] = (lines[at] ?? '').replaceAll('_', '$');
  return lines.join('\n');
}

/** A name as a card shows it, where it is called or defined. */
function called(shown: string): RegExp {
  return new RegExp(`\\b${shown.split('…').join('\\w*')}\\(`);
}

it.each([1, 2, 3, 4, 5, 6])('project %i: every card is short and every place on it is true', async (seed) => {
  const pick = random(seed);
  const { modules, tree } = plan(pick);
  const world = await openCards(tree);
  const lineAt = (path: string, line: number) =>
    readFileSync(join(world.root, path), 'utf8').split('\n')[line - 1] ?? '';
  try {
    for (const { path } of modules) if (pick(3) === 0) world.put(path, disturb(tree[path] ?? '', pick));
    const names = modules.flatMap((module) => module.names);
    let places = 0;
    for (const { path } of modules) {
      const { note } = await world.readNow(path);
      expect(note.length).toBeLessThanOrEqual(900);
      const symbol = /: function (\S+), /.exec(note)?.[1] ?? '';
      for (const line of note.split('\n')) {
        for (const [, , name = symbol, at = '', nth = ''] of line.matchAll(
          /((\S+) (?:×\d+ )?\()?([\w./-]+\.ts):(\d+)/g,
        )) {
          places += 1;
          const told = lineAt(at, Number(nth));
          expect(told).not.toMatch(/^import /);
          if (line.startsWith('Callers:') || line.startsWith('[')) expect(told).toMatch(called(symbol));
          else if (line.startsWith('Calls:')) expect(told).toMatch(called(name));
          else expect(names.some((each) => told.includes(`${each}(`))).toBe(true);
        }
      }
    }
    expect(places).toBeGreaterThan(5);
  } finally {
    world.close();
  }
});
