import { expect, it } from 'vitest';
import { whichAgent } from '../commands/run.ts';

it.each<[string, string | undefined, number?]>([
  ['claude -p hi', 'claude-code', 0],
  ['/opt/bin/claude -p hi', 'claude-code', 0],
  ['claude -p codex', 'claude-code', 0],
  ['codex exec claude', 'codex', 0],
  ['env A=1 claude -p hi', 'claude-code', 2],
  ['timeout 60 ./node_modules/.bin/claude -p', 'claude-code', 2],
  ['npx --yes @anthropic-ai/claude-code@2.1.325 -p hi', 'claude-code', 2],
  ['npx -p @anthropic-ai/claude-code claude -p hi', 'claude-code', 3],
  ['make claude-config', undefined],
  ['sh -c claude\\ -p', undefined],
])('%s', (line, agent, at) => {
  expect(whichAgent(line.split(' '))).toEqual(agent === undefined ? undefined : { agent, at });
});
