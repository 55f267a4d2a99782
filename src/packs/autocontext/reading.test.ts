import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recorded } from '../../../test/fixtures/claude-code.ts';
import { parse } from '../../adapters/claude-code/parse.ts';
import { callOf } from '../../adapters/contract.ts';
import type { Event, HookCall, ToolCall } from '../../event/event.ts';
import { answer } from '../../transport/answer.ts';
import { openWorld } from '../world.fixture.ts';
import type { World } from '../world.fixture.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What the client sent when a tool of its own had read, written or failed; the rows change what they are about. */
const READ = recorded('PostToolUse/read.json');
const WRITTEN = recorded('PostToolUse/write-create.json');
const FAILED = recorded('PostToolUseFailure/read.json');
const CWD = '/home/dev/project';
const APP = `${CWD}/src/app.ts`;

function read(payload: unknown, call: Partial<HookCall> = {}): Event {
  return parse(callOf(payload, call));
}

function toolOf(base: Fields, changes: Fields = {}, call: Partial<HookCall> = {}): ToolCall {
  const { tool } = read({ ...base, ...changes }, call);
  if (tool === undefined) throw new Error('the event has no tool call');
  return tool;
}

const without = (fields: unknown, ...keys: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields as Fields).filter(([key]) => !keys.includes(key)));

describe('the file of a Read', () => {
  test('is the input’s file_path, with the lines that came', () => {
    expect(toolOf(READ)).toMatchObject({ kind: 'read', paths: [APP], lines: { first: 1, count: 6 } });
  });

  test('is known before the tool has run', () => {
    const before = { ...without(READ, 'tool_response', 'duration_ms'), hook_event_name: 'PreToolUse' };
    expect(read(before)).toMatchObject({ name: 'tool.before', tool: { paths: [APP] } });
  });

  test('comes with the lines that were asked for', () => {
    const tool_input = { file_path: APP, offset: 3, limit: 2 };
    expect(toolOf(READ, { tool_input }).lines).toEqual({ first: 3, count: 2 });
  });
});

describe('the file of a Write', () => {
  test.each([
    ['an input of other things', { content: 'export const x = 1;\n' }],
    ['an empty input', {}],
    ['an input that is none', null],
    ['an empty path', { file_path: '' }],
    ['a path that is no text', { file_path: 7 }],
  ])('is the result’s filePath beside %s', (_, tool_input) => {
    expect(toolOf(WRITTEN, { tool_input }).paths).toEqual([`${CWD}/src/new.ts`]);
  });

  test.each([['filePath'], ['file_path']])('is the result’s %s', (key) => {
    expect(toolOf(WRITTEN, { tool_input: {}, tool_response: { [key]: '/x/new.ts' } }).paths).toEqual(['/x/new.ts']);
  });
});

describe('camel case reads as snake case', () => {
  const camel = {
    ...without(READ, 'hook_event_name', 'tool_name', 'tool_input', 'tool_response', 'tool_use_id', 'duration_ms'),
    hookEventName: READ['hook_event_name'],
    toolName: READ['tool_name'],
    toolInput: { filePath: APP, offset: 2, limit: 9 },
    toolResponse: READ['tool_response'],
    toolUseId: READ['tool_use_id'],
    durationMs: READ['duration_ms'],
  };

  test('event, tool, input, result and lines', () => {
    const { tool, ...event } = read(camel);
    const { tool: same, ...expected } = read({ ...READ, tool_input: { file_path: APP, offset: 2, limit: 9 } });
    expect(event).toEqual(expected);
    expect({ ...tool, input: 0 }).toEqual({ ...same, input: 0 });
  });

  test('the first spelling wins where both are there', () => {
    const both = { ...READ, hookEventName: 'Stop', toolName: 'Bash', toolInput: { file_path: '/other.ts' } };
    expect(read(both)).toEqual(read(READ));
    expect(toolOf(READ, { tool_input: { filePath: '/b.ts', file_path: '/a.ts' } }).paths).toEqual(['/a.ts']);
  });
});

describe('a relative path of a result', () => {
  const tool_response = { type: 'text', file: { filePath: 'src/app.ts', content: '', numLines: 1, startLine: 1 } };

  test('gives way to the input', () => {
    const tool_input = { file_path: '/home/dev/other/a.ts' };
    expect(toolOf(READ, { tool_response, tool_input }).paths).toEqual(['/home/dev/other/a.ts']);
  });

  test.each([
    [CWD, APP],
    [`${CWD}/packages/a`, `${CWD}/packages/a/src/app.ts`],
  ])('is resolved against %s of the payload without one', (cwd, expected) => {
    expect(toolOf(READ, { tool_response, tool_input: {}, cwd }, { cwd: '/elsewhere' }).paths).toEqual([expected]);
  });

  test('and against the call’s where the payload names none', () => {
    expect(toolOf(without(READ, 'cwd'), { tool_response, tool_input: {} }, { cwd: '/here' }).paths).toEqual([
      '/here/src/app.ts',
    ]);
  });
});

describe('the place of a search', () => {
  test.each([
    ['Grep', 'search', { pattern: 'add', path: 'src' }],
    ['Glob', 'glob', { pattern: '*.ts', path: 'src' }],
    ['Glob', 'glob', { pattern: '*.ts', folder: 'src' }],
    ['LS', 'list', { path: 'src' }],
    ['LS', 'list', { directory_path: 'src' }],
    ['LS', 'list', { directoryPath: 'src' }],
    ['Grep', 'search', { pattern: 'add', path: 'src', folder: 'lib' }],
  ])('%s as %s of %j', (tool_name, kind, tool_input) => {
    expect(toolOf(READ, { tool_name, tool_input, tool_response: { filenames: [] } })).toMatchObject({
      kind,
      paths: [`${CWD}/src`],
    });
  });

  test('is nowhere when it was not named: what a search found is not where it looked', () => {
    const tool_response = { mode: 'files_with_matches', numFiles: 1, filenames: ['src/app.ts'] };
    expect(toolOf(READ, { tool_name: 'Grep', tool_input: { pattern: 'add' }, tool_response }).paths).toEqual([]);
  });

  test('a command names none, whatever its input holds', () => {
    expect(toolOf(READ, { tool_name: 'Bash', tool_input: { command: 'ls /x', path: '/x' } }).paths).toEqual([]);
  });
});

describe('the file of a notebook', () => {
  test.each([
    ['NotebookEdit', 'edit', { notebook_path: 'n.ipynb', new_source: 'x' }],
    ['NotebookEdit', 'edit', { notebookPath: 'n.ipynb', newSource: 'x' }],
    ['NotebookRead', 'read', { notebook_path: 'n.ipynb' }],
    ['Read', 'read', { notebook_path: 'n.ipynb' }],
  ])('%s as %s of %j', (tool_name, kind, tool_input) => {
    const tool_response = { type: 'notebook', file: { filePath: '/other.ipynb', cells: [] } };
    expect(toolOf(READ, { tool_name, tool_input, tool_response })).toMatchObject({ kind, paths: [`${CWD}/n.ipynb`] });
  });

  test('is the result’s without an input', () => {
    const tool_response = { type: 'notebook', file: { filePath: '/n.ipynb', cells: [] } };
    expect(toolOf(READ, { tool_input: {}, tool_response }).paths).toEqual(['/n.ipynb']);
  });
});

describe('what is no event', () => {
  let world: World;
  beforeEach(() => {
    world = openWorld({ config: 'packs: { autocontext: on }\n' });
    mkdirSync(join(world.root, '.git'));
  });
  afterEach(() => world.close());

  const rows: readonly (readonly [string, string])[] = [
    ['nothing', ''],
    ['not JSON', 'Read src/app.ts'],
    ['half of JSON', JSON.stringify(READ).slice(0, 200)],
    ['a list', JSON.stringify([READ])],
    ['a text', '"PostToolUse"'],
    ['null', 'null'],
    ['no event name', JSON.stringify(without(READ, 'hook_event_name'))],
    ['an event name that is no text', JSON.stringify({ ...READ, hook_event_name: 3 })],
    ['an input of null', JSON.stringify({ ...READ, tool_input: null })],
    ['an input and a result of null', JSON.stringify({ ...READ, tool_input: null, tool_response: null })],
    ['an input that is a list', JSON.stringify({ ...READ, tool_input: [APP], tool_response: [3] })],
  ];
  test.each(rows)('%s passes', async (_, text) => {
    const body = new TextEncoder().encode(text);
    const request = { agent: 'claude-code', body, size: body.length, cwd: world.root, home: world.home, env: {} };
    expect(await answer({ ...request, eventHint: 'PostToolUse' }, world.engine)).toEqual({ stdout: '', exitCode: 0 });
  });

  test('an input of null names no file, and is no exception', () => {
    expect(toolOf(READ, { tool_input: null, tool_response: null })).toMatchObject({ hasInput: false, paths: [] });
  });
});

describe('a failure', () => {
  test('is what the client reports as one', () => {
    expect(read(FAILED)).toMatchObject({
      name: 'tool.failed',
      tool: { failed: true, paths: [`${CWD}/src/missing.ts`], error: FAILED['error'] },
    });
  });

  test.each([
    [{ success: false }, undefined],
    [{ is_error: true }, undefined],
    [{ isError: true }, undefined],
    [{ error: 'EISDIR: illegal operation on a directory, read' }, 'EISDIR: illegal operation on a directory, read'],
    [{ success: false, error: 'no' }, 'no'],
  ])('is a result with %j', (more, error) => {
    const { failed, error: said } = toolOf(READ, { tool_response: { ...(READ['tool_response'] as Fields), ...more } });
    expect([failed, said]).toEqual([true, error]);
  });

  test.each([[{ success: true }], [{ is_error: false, isError: false }], [{ error: '' }], [{ error: null }]])(
    'is no result with %j',
    (more) => {
      expect(toolOf(READ, { tool_response: { ...(READ['tool_response'] as Fields), ...more } }).failed).toBeUndefined();
    },
  );
});

describe('however a path is written', () => {
  const windows = { cwd: 'C:\\Users\\dev\\project', home: 'C:\\Users\\dev' };
  const rows: readonly [string, string, Partial<HookCall>?][] = [
    ['src/my file.ts', `${CWD}/src/my file.ts`],
    [' lead.ts', `${CWD}/ lead.ts`],
    ['src/größe/日本語.ts', `${CWD}/src/größe/日本語.ts`],
    ['src/e\u0301.ts', `${CWD}/src/e\u0301.ts`],
    ['~/notes.ts', '/home/dev/notes.ts'],
    ['~', '/home/dev'],
    ['src/~/a.ts', `${CWD}/src/~/a.ts`],
    ['file:///home/dev/project/src/my%20file.ts', `${CWD}/src/my file.ts`],
    ['file://localhost/home/dev/project/gr%C3%B6%C3%9Fe.ts', `${CWD}/größe.ts`],
    ['file:///100%.ts', '/100%.ts'],
    ['./src/../lib/a.ts', `${CWD}/lib/a.ts`],
    ['src\\a.ts', `${CWD}/src\\a.ts`],
    ['src\\a.ts', 'C:/Users/dev/project/src/a.ts', windows],
    ['..\\other\\a.ts', 'C:/Users/dev/other/a.ts', windows],
    ['D:\\code\\my file.ts', 'D:/code/my file.ts', windows],
    ['~\\notes.ts', 'C:/Users/dev/notes.ts', windows],
    ['file:///C:/Users/dev/a%20b.ts', 'C:/Users/dev/a b.ts', windows],
    ['\\\\server\\share\\a.ts', '//server/share/a.ts', windows],
  ];
  test.each(rows)('%j is %j', (file_path, expected, call) => {
    const base = call ? { ...READ, cwd: call.cwd } : READ;
    expect(toolOf(base, { tool_input: { file_path } }, call).paths).toEqual([expected]);
    const tool_response = { type: 'text', file: { filePath: file_path, content: '' } };
    expect(toolOf(base, { tool_input: {}, tool_response }, call).paths).toEqual([expected]);
    expect(toolOf(base, { tool_name: 'Grep', tool_input: { path: file_path } }, call).paths).toEqual([expected]);
  });
});
