import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ADAPTERS, adapterNamed } from '../../src/adapters/registry.ts';
import type { Adapter } from '../../src/adapters/adapter.ts';
import { CLIENTS } from '../../scripts/install-client.mjs';
import { recordedOf } from '../fixtures/recorded-payloads.ts';
import { compareContracts, contractLines } from './contract-lines.ts';

const gemini = adapterNamed('gemini') as Adapter;
const payload = recordedOf('gemini').one('BeforeTool/run-shell-command.json');
const linesWith = (...changes: readonly object[]) =>
  contractLines(
    changes.map((change) => ({ event: 'BeforeTool', payload: { ...payload, ...change } })),
    gemini,
  );
const changed = (change: object) => compareContracts(linesWith({}), linesWith(change));

describe('the lines of a contract', () => {
  it('name every field with its kind, and mark what the adapter reads', () => {
    const lines = linesWith({}, { timestamp: 7, extra: [{ deep: null }] });
    expect(lines).toEqual(
      expect.arrayContaining([
        '* BeforeTool run_shell_command',
        '* BeforeTool run_shell_command tool_input.command: string',
        '  BeforeTool run_shell_command timestamp: number or string',
        '  BeforeTool run_shell_command extra[].deep: null, not always',
      ]),
    );
    expect([...lines].sort((a, b) => (a.slice(2) < b.slice(2) ? -1 : 1))).toEqual(lines);
  });

  it('change where a field comes, goes, or is of another kind', () => {
    expect(changed({})).toEqual([]);
    expect(changed({ fieldOfTomorrow: true })).toEqual([
      { text: '+ BeforeTool run_shell_command fieldOfTomorrow: boolean', breaks: false },
    ]);
    expect(changed({ timestamp: 7 })).toEqual([
      { text: '! BeforeTool run_shell_command timestamp: was string, is number', breaks: false },
    ]);
    expect(changed({ session_id: undefined })).toEqual([
      { text: '! BeforeTool run_shell_command session_id: was string, is undefined', breaks: true },
    ]);
    const { tool_input: _, ...without } = payload;
    const gone = compareContracts(linesWith({}), contractLines([{ event: 'BeforeTool', payload: without }], gemini));
    expect(gone).toContainEqual({ text: '- BeforeTool run_shell_command tool_input: object', breaks: true });
  });

  it('change where a tool has another name', () => {
    const renamed = changed({ tool_name: 'run_command' });
    expect(renamed).toContainEqual({ text: '- BeforeTool run_shell_command', breaks: true });
    expect(renamed).toContainEqual({ text: '+ BeforeTool run_command', breaks: false });
  });
});

const fileOf = (agent: string): URL => new URL(`../fixtures/${agent}/contract.txt`, import.meta.url);
const kept = ADAPTERS.map(({ name }) => name).filter((agent) => existsSync(fileOf(agent)));

it.each(kept)('the contract of %s was recorded with the client that is tried', (agent) => {
  const client = CLIENTS[agent];
  expect(readFileSync(fileOf(agent), 'utf8').split('\n', 1)[0]).toBe(`# ${client?.package} ${client?.version}`);
});
