import { describe, expect, it } from 'vitest';
import { PROVIDERS } from './providers.ts';
import { callOf, routeOf, seenWith } from './routes.ts';
import type { Query } from './routes.ts';

const facts = (servers: readonly string[] = [], programs: readonly string[] = [], seen?: unknown) => ({
  seen,
  setup: {
    servers: servers.map((name) => ({ name: name.replace('plugin_cg_', ''), prefix: `mcp__${name}__` })),
    hooks: [],
  },
  workspace: { hasProgram: (name: string) => programs.includes(name) },
  now: 1_000,
});
const call = (id: string, query: Partial<Query>, ...given: Parameters<typeof facts>) => {
  const [provider] = PROVIDERS.filter((one) => one.id === id);
  const route = provider && routeOf(provider, facts(...given));
  return route && callOf(route, { kind: 'search', words: ['parseConfig'], ...query });
};

describe('the call to paste', () => {
  it.each<[id: string, query: Partial<Query>, given: Parameters<typeof facts>, text: string | undefined]>([
    ['fairlead', {}, [], 'fairlead graph search parseConfig'],
    ['fairlead', { kind: 'callers' }, [], 'fairlead graph callers parseConfig'],
    ['fairlead', { words: ['one', 'two'] }, [], `fairlead graph search 'one two'`],
    ['fairlead', { words: [`it's`] }, [], `fairlead graph search 'it'\\''s'`],
    ['fairlead', { kind: 'files', words: [], language: 'rust' }, [], 'fairlead graph files --language rust'],
    ['fairlead', {}, [['fairlead']], 'mcp__fairlead__graph {"action":"search","query":"parseConfig"}'],
    [
      'fairlead',
      { kind: 'files', words: [], language: 'rust' },
      [['fairlead']],
      'mcp__fairlead__graph {"action":"files","query":"rust"}',
    ],
    ['fairlead', { kind: 'files', words: [] }, [], 'fairlead graph files'],
    ['fairlead', { kind: 'files', words: [] }, [['fairlead']], 'mcp__fairlead__graph {"action":"files"}'],
    ['codegraph', {}, [], undefined],
    ['codegraph', {}, [['codegraph2']], undefined],
    ['codegraph', {}, [['codegraph']], 'mcp__codegraph__codegraph_explore {"query":"parseConfig"}'],
    ['codegraph', {}, [['plugin_cg_codegraph']], 'mcp__plugin_cg_codegraph__codegraph_explore {"query":"parseConfig"}'],
    ['codegraph', { kind: 'files', words: [], language: 'rust' }, [['codegraph']], undefined],
    ['codegraph', { kind: 'files', words: [] }, [[], ['codegraph']], undefined],
    ['graphify', { kind: 'files', words: [], language: 'rust' }, [['graphify']], undefined],
    ['codegraph', { kind: 'callers' }, [[], ['codegraph']], 'codegraph explore parseConfig'],
    ['codegraph', { words: ['a"b'] }, [['codegraph']], 'mcp__codegraph__codegraph_explore {"query":"a\\"b"}'],
    ['repowise', {}, [[], ['repowise']], undefined],
    ['repowise', {}, [['repowise']], 'mcp__repowise__search_codebase {"query":"parseConfig"}'],
  ])('%s %o %o', (id, query, given, text) => {
    expect(call(id, query, ...given)).toBe(text);
  });
});

describe('a tool that was called', () => {
  const NAME = 'mcp__x__codegraph_context';
  it('is named as the agent named it, unless the server offers a better one', () => {
    const seen = seenWith(undefined, 'codegraph_context', NAME, 500);
    expect(call('codegraph', {}, [], [], seen)).toBe(`${NAME} {"task":"parseConfig"}`);
    expect(call('codegraph', {}, ['codegraph'], [], seen)).toContain('codegraph_explore');
  });

  it.each([undefined, 7, 'x', { codegraph_context: 7 }, { codegraph_context: { name: 1, at: 2 } }])(
    'damaged memory of it (%o) is none',
    (seen) => {
      expect(call('codegraph', {}, [], [], seen)).toBeUndefined();
    },
  );

  it('that asks nothing in words is not named', () => {
    expect(
      call('codegraph', {}, [], [], seenWith(undefined, 'codegraph_status', 'mcp__x__codegraph_status', 500)),
    ).toBe(undefined);
  });

  it('few of them are kept', () => {
    let seen = {};
    for (let at = 0; at < 50; at += 1) seen = seenWith(seen, `tool-${at}`, 'x', 500);
    expect(Object.keys(seen)).toHaveLength(20);
    expect(Object.keys(seen)).toContain('tool-49');
  });
});
