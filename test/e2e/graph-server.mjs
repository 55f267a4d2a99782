// A tool server on stdin and stdout with one tool, as a code graph offers it; the agent speaks to it for real.
import { createInterface } from 'node:readline';

const tool = {
  name: 'codegraph_explore',
  description: 'Looks symbols up',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'codegraph', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': ({ arguments: given }) => ({
    content: [{ type: 'text', text: `${given.query} is defined in src/app.ts:1` }],
  }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = answers[method]?.(params ?? {}) ?? {};
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
});
