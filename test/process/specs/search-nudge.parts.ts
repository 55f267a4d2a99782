import type { Payload } from '../daemon-home.ts';
import { PASS, after, before, note, prompt } from './rows.ts';
import type { Row, Step } from './rows.ts';

export const servers = (...names: readonly string[]): string =>
  JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: name }])) });
export const CODE = {
  'src/a.ts': 'export function parseConfig() {}\n',
  'src/deep/b.ts': 'parseConfig();\n',
  'foo.txt': 'text',
};
/** A project with an index that can be asked. */
export const INDEXED = { ...CODE, '.codegraph/codegraph.db': 'index', '.mcp.json': servers('codegraph') };
export const EXPLORE = 'mcp__codegraph__codegraph_explore';
export const TURN: Step = [prompt()];
export const next = (): Step => [prompt()];
export const grep = (input: object = {}, more: Payload = {}): Payload =>
  before('Grep', { pattern: 'parseConfig', path: 'src', ...input }, more);
export const QUERY = { query: 'parseConfig' };
let asks = 0;
/** A whole call of a graph tool. */
export function asked(tool = EXPLORE, more: Payload = {}): readonly Step[] {
  const id = { tool_use_id: `ask${(asks += 1)}`, ...more };
  return [
    [before(tool, QUERY, id), PASS],
    [after(tool, QUERY, [{ type: 'text', text: 'found' }], id), PASS],
  ];
}
export const NUDGE = note('codegraph/search-nudge');
/** In a project with an index. */
export const inIndexed = (row_: Row): Row => ({ ...row_, files: { ...INDEXED, ...row_.files } });
