import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queryOf } from '../../packs/codegraph/message.ts';
import { PROVIDERS } from '../../packs/codegraph/providers.ts';
import { callOf } from '../../packs/codegraph/routes.ts';
import type { Query } from '../../packs/codegraph/routes.ts';
import { readShell } from '../../shell/read.ts';
import { UsageError } from '../command.ts';
import type { Command } from '../command.ts';
import { VERBS } from '../verbs.generated.ts';
import { plantShop } from '../graph/indexed-project.fixture.ts';
import type { ShopProject } from '../graph/indexed-project.fixture.ts';
import { helpFor } from '../help.ts';
import { callees, callers, context, files, impact, search } from './graph-query.ts';

let shop: ShopProject;
beforeAll(async () => {
  shop = plantShop();
  await shop.graph('index');
});
afterAll(() => shop.remove());

async function run(command: Command, ...words: string[]): Promise<[code: number, out: string]> {
  const world = shop.world();
  return [await world.run(command, ...words), world.printed.out];
}

describe('wrong usage', () => {
  it.each<[string[], Command, RegExp]>([
    [[], search, /expected <words>/],
    [['x', '--limit', '0'], search, /--limit wants a whole number from 1 on, not "0"/],
    [['x', '--limit', 'ten'], search, /--limit wants/],
    [['x', '--kind', 'clas'], search, /no kind of symbol is called "clas"; did you mean "class"/],
    [['x', '--max-chars', '5'], search, /--max-chars wants a whole number from 100 on/],
    [['a', 'b'], callers, /unexpected argument: b/],
    [['main', '--pick', 'worst'], callers, /--pick knows best alone/],
    [['main', '--limit', '-1'], callees, /./],
    [['main', '--depth', '6'], impact, /--depth wants a whole number from 1 to 5, not "6"/],
    [['main', '--depth', '1.5'], impact, /--depth/],
    [[], context, /give words, or --symbols/],
    [['main', '--symbols', 'run'], context, /give words, or --symbols/],
    [['--format', 'list'], files, /--format is tree or flat/],
    [['--max-depth', '0'], files, /--max-depth/],
  ])('%j', async (words, command, message) => {
    const failed = run(command, ...words);
    await expect(failed).rejects.toBeInstanceOf(UsageError);
    await expect(failed).rejects.toThrow(message);
  });
});

describe('options', () => {
  it.each<[string[], Command, number, string]>([
    [['store', 'save', '--limit', '1'], search, 0, '3 symbols for "store save"\n  Store.save  method'],
    [['main', '--kind', 'function,class'], search, 0, '2 symbols for "main"'],
    [['main', '--kind', 'function', '--kind', 'module'], search, 0, '4 symbols for "main"'],
    [['nowhere'], search, 1, 'no symbol fits "nowhere"'],
    [['main', '--kind', 'class'], search, 1, 'no class fits "main"'],
    [
      ['main', '--kind', 'function', '--limit', '1'],
      search,
      0,
      '`fairlead graph search main --kind function --limit 2`',
    ],
    [['src/store.ts:3'], callers, 0, 'Store.save  method'],
    [['Store.save', '--possible'], callers, 0, '1 caller'],
    [['save', '--file', 'src'], callers, 0, 'Store.save  method'],
    [['main'], callees, 0, '2 callees, 2 calls'],
    [
      ['Store', '--max-nodes', '1'],
      impact,
      0,
      "… 1 more: `fairlead graph impact 'src/store.ts#Store' --depth 2 --max-nodes 2`",
    ],
    [['--symbols', 'main,run'], context, 0, 'run  function  tool.py:4'],
    [['zebra', 'crossing'], context, 1, 'no symbol fits "zebra crossing"'],
    [['--symbols', 'zebra'], context, 1, 'no symbol "zebra"'],
    [['--symbols', 'main', '--symbols', 'run'], context, 0, 'run  function  tool.py:4'],
    [[], files, 0, '4 files, 7 symbols'],
    [['src', '--format', 'flat'], files, 0, '  src/main.ts  1\n'],
    [['--pattern', '*.py'], files, 0, '1 file matching *.py, 2 symbols'],
    [['nowhere'], files, 1, 'no indexed files below nowhere'],
    [['--language', 'php'], files, 1, 'no indexed files in php; there is python, typescript'],
    [['--language', 'python'], files, 0, '1 file in python, 2 symbols'],
    [['--max-depth', '1'], files, 0, '  src/  3 files, 5\n'],
    [['--limit', '1'], files, 0, '… 3 more: `fairlead graph files --limit 4`'],
  ])('%j', async (words, command, code, text) => {
    expect(await run(command, ...words)).toEqual([code, expect.stringContaining(text)]);
  });

  it('the text stays within --max-chars', async () => {
    for (const chars of [100, 160, 400]) {
      const [, out] = await run(impact, 'Store', '--max-chars', String(chars));
      expect(out.length - 1).toBeLessThanOrEqual(chars);
    }
  });

  it('each verb has help', () => {
    for (const [verb, command] of Object.entries({ search, callers, callees, impact, context, files })) {
      expect(helpFor(`graph ${verb}`, command, shop.world())).toContain('--json');
      expect(VERBS[`graph ${verb}`]?.summary).toBe(command.summary);
    }
  });
});

describe('what the codegraph pack suggests is accepted', () => {
  const [command] = PROVIDERS.flatMap(({ id, command: own }) => (id === 'fairlead' && own ? [own] : []));
  const commands: Record<string, Command> = { search, callers, files };
  it.each<[Query, code: number]>([
    [{ kind: 'search', words: ['parse_config'] }, 0],
    [{ kind: 'search', words: ['Store', 'save'] }, 0],
    [{ kind: 'callers', words: ['main'] }, 0],
    [{ kind: 'files', words: [], language: 'python' }, 0],
    [{ kind: 'files', words: [], language: 'php' }, 1],
    [{ kind: 'files', words: [] }, 0],
  ])('%j', async (query, code) => {
    if (!command) throw new Error('the built-in graph has no command');
    const text = callOf({ kind: 'command', command }, query) ?? '';
    const [first] = readShell(text, { cwd: '/', home: '/', root: '/' }).commands;
    const [program, group, verb = '', ...rest] = first?.words.map(({ value }) => value) ?? [];
    expect([program, group]).toEqual(['fairlead', 'graph']);
    expect((await run(commands[verb] as Command, ...rest))[0]).toBe(code);
  });

  it('for one known symbol, its callers', () => {
    expect(queryOf(['main'], {} as never, [{ name: 'main', total: 1 }] as never)?.kind).toBe('callers');
  });
});
