import { expect, it } from 'vitest';
import { ADAPTERS } from '../adapters/registry.ts';
import { CANVAS_ACTIONS } from './server.ts';
import { defineTool } from './server.ts';
import { GRAPH_ACTIONS } from './server.ts';
import { CANVAS, EVERYWHERE, GRAPH, TOOLS } from './tools.ts';

it('what every model is told at every start is short', () => {
  const meta = Object.assign({}, ...ADAPTERS.map(({ toolMeta }) => toolMeta)) as Record<string, unknown>;
  const tools = TOOLS.map((table) => defineTool(table, meta));
  expect(JSON.stringify(tools).length).toBeLessThan(2_000);
  for (const tool of tools) expect(tool).toHaveProperty('_meta', meta);
});

it('an action is in the table exactly when it is built, and takes what has a type', () => {
  expect(Object.keys(GRAPH.actions).sort()).toEqual(Object.keys(GRAPH_ACTIONS).sort());
  expect(Object.keys(CANVAS.actions).sort()).toEqual(Object.keys(CANVAS_ACTIONS).sort());
  for (const { actions, types, shown } of TOOLS)
    for (const name of [...Object.values(actions).flat(), ...EVERYWHERE, ...shown])
      expect(types, name).toHaveProperty(name);
});

it('without meta there is none', () => {
  expect(defineTool(GRAPH, {})).not.toHaveProperty('_meta');
});
