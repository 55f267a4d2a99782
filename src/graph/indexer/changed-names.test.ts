import { describe, expect, it } from 'vitest';
import { createParser } from '../parse/parse-file.ts';
import { changedNames } from './changed-names.ts';

const parser = createParser({ budgetMs: 60_000 });
const encoder = new TextEncoder();

const TEXT = `import { a } from './a.ts';
export class Shop {
  open = a();
  sell() { return this.count() }
  count() { return 1 }
}
export function make() { const made = new Shop(); return made }
function other() { return 2 }
`;

async function change(edit: (text: string) => string): Promise<readonly string[] | 'anything'> {
  const [before, after] = [TEXT, edit(TEXT)].map((text) => parser.parse('x.ts', 'typescript', encoder.encode(text)));
  const found = changedNames(await (before as Promise<never>), await (after as Promise<never>));
  return found === undefined ? 'anything' : [...found.names].sort();
}

describe('what changed in a file', () => {
  it.each<[string, (text: string) => string, readonly string[] | 'anything']>([
    ['nothing, where all has moved', (text) => `// first\n\n${text}`, []],
    ['nothing, where a body grew', (text) => text.replace('const made', 'log(); const made'), []],
    ['a function that is new', (text) => `${text}export function more() {}\n`, ['more']],
    ['a function that is gone', (text) => text.replace(/function other.*\n/, ''), ['other']],
    ['what a function returns', (text) => text.replace('return 2', 'return make()'), ['other']],
    ['what a local name holds that is returned', (text) => text.replace('= new Shop()', '= new Store()'), ['make']],
    ['an import that nothing here leads to', (text) => `import { z } from './z.ts';\n${text}`, ['z']],
    [
      'a class, and with it all that is in it',
      (text) => text.replace('class Shop', 'class Shop extends Base'),
      'anything',
    ],
    ['what something that stayed leads to', (text) => text.replace('return 1', 'return make()'), 'anything'],
    ['an import that a field is made with', (text) => text.replace('./a.ts', './b.ts'), 'anything'],
    ['all names of another module', (text) => `export * from './z.ts';\n${text}`, 'anything'],
    ['a constructor', (text) => text.replace('  sell', '  constructor() {}\n  sell'), 'anything'],
    [
      'the order',
      (text) =>
        text.replace(/(function other.*\n)/, '').replace('export class', 'function other() { return 2 }\nexport class'),
      'anything',
    ],
  ])('%s', async (_, edit, expected) => expect(await change(edit)).toEqual(expected));

  it('says where each definition is now', async () => {
    const parse = (text: string) => parser.parse('x.ts', 'typescript', encoder.encode(text));
    const found = changedNames(
      await parse('function b() {}\nfunction c() {}\n'),
      await parse('function a() {}\nfunction c() {}\n'),
    );
    expect(found).toEqual({ names: new Set(['a', 'b']), moved: Int32Array.of(-1, 1) });
  });
});
