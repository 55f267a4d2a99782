import { expect, it } from 'vitest';
import type { Event } from '../../engine/rule.ts';
import { graphCallOf } from './graph-call.ts';
import { PROVIDERS } from './providers.ts';

function familiesOf(tool: Partial<NonNullable<Event['tool']>>): readonly string[] {
  const event = {
    cwd: '/p',
    tool: { kind: 'shell', name: 'shell', input: {}, hasInput: true, paths: [], edits: [], ...tool },
  } as unknown as Event;
  return graphCallOf(event, PROVIDERS, { home: '/home/dev', root: '/p' })?.families ?? [];
}

it.each<[command: string, families: readonly string[]]>([
  ['codegraph explore "parse config"', ['codegraph']],
  ['codegraph --json query parseConfig', ['codegraph']],
  ['npx -y @owner/codegraph@1.2 callers x', ['codegraph']],
  ['cd src && fairlead graph impact x | head', ['fairlead']],
  ['fairlead canvas impact --depth 3 x', ['fairlead']],
  ['fairlead canvas read', []],
  ['graphify path a b; codegraph node x', ['graphify', 'codegraph']],
  [`bash -c 'graphify explain x'`, ['graphify']],
  ['codegraph init', []],
  ['codegraph', []],
  ['fairlead graph index', []],
  ['fairlead search x', []],
  ['graphify update', []],
  ['repowise search x', []],
  ['echo codegraph explore x', []],
  ['git commit -m "codegraph explore x"', []],
  ['./not-codegraph explore x', []],
  ['cat codegraph explore', []],
])('%s', (command, families) => {
  expect(familiesOf({ command })).toEqual(families);
});

it.each<[server: string, tool: string, input: Readonly<Record<string, unknown>>, families: readonly string[]]>([
  ['codegraph', 'codegraph_status', {}, ['codegraph']],
  ['repowise', 'anything', {}, ['repowise']],
  ['fairlead', 'graph', { action: 'callers' }, ['fairlead']],
  ['fairlead', 'graph', { action: 'index' }, []],
  ['fairlead', 'graph', {}, []],
  ...['search', 'callees', 'impact', 'context', 'files', ' Callers '].map(
    (action): [string, string, Readonly<Record<string, unknown>>, readonly string[]] => [
      'fairlead',
      'graph',
      { action },
      ['fairlead'],
    ],
  ),
  ...['status', 'draw', 'init'].map(
    (action): [string, string, Readonly<Record<string, unknown>>, readonly string[]] => [
      'fairlead',
      'graph',
      { action },
      [],
    ],
  ),
  ['fairlead', 'canvas', { action: 'impact' }, ['fairlead']],
  ['fairlead', 'canvas', { action: 'read' }, []],
  ['fairlead', 'canvas', { action: 'search' }, []],
  ['codegraph2', 'codegraph_explore', {}, []],
])('%s %s %o', (server, tool, input, families) => {
  expect(familiesOf({ kind: 'mcp', mcp: { server, tool }, input })).toEqual(families);
});
