import { describe, expect, it } from 'vitest';
import { readRecorded, recorded } from '../../../test/fixtures/claude-code.ts';
import type { Event, HookCall, ToolCall } from '../../event/event.ts';
import { callOf, respell } from '../contract.ts';
import { parse } from './parse.ts';

function read(payload: unknown, more: Partial<HookCall> = {}): Event {
  return parse(callOf(payload, more));
}

function readTool(tool_name: string, more: object = {}, hook_event_name = 'PreToolUse'): ToolCall {
  const { tool } = read({ hook_event_name, session_id: 's', cwd: '/home/dev/project/src', tool_name, ...more });
  if (tool === undefined) throw new Error('no tool');
  return tool;
}

describe('recorded events', () => {
  it('have their own facts', () => {
    const facts = readRecorded().map(({ file, payload }) => {
      const { session: _, transcript: __, promptId: ___, receivedAt: ____, ...rest } = read(payload);
      return [file, rest] as const;
    });
    expect(Object.fromEntries(facts)).toMatchSnapshot();
  });

  it.each(readRecorded().map(({ file, payload }) => [file, payload] as const))(
    '%s reads the same in camel case',
    (_, payload) => {
      const { tool, batch, ...event } = read(payload);
      const { tool: camelTool, batch: camelBatch, ...camelEvent } = read(respell(payload));
      expect(camelEvent).toEqual(event);
      const shape = (call: ToolCall | undefined): unknown =>
        call && { ...call, input: respell(call.input), output: respell(call.output) };
      expect(shape(camelTool)).toEqual(shape(tool));
      expect(camelBatch?.map(shape)).toEqual(batch?.map(shape));
    },
  );

  it('passes big texts on by reference', () => {
    const payload = recorded('PostToolUse/read.json');
    const { tool } = read(payload);
    expect(tool?.input).toBe(payload['tool_input']);
    expect(tool?.output).toBe(payload['tool_response']);
  });
});

describe('sessions', () => {
  it.each([
    [{ session_id: 'a', transcript_path: '/x/b.jsonl' }, 'c', 'a', true],
    [{ session_id: '', transcript_path: '/x/b.jsonl' }, 'c', 'b', true],
    [{ transcript_path: '/x/' }, 'c', 'c', true],
    [{ session_id: 7 }, undefined, 'unknown', false],
    [{}, '', 'unknown', false],
    [null, undefined, 'unknown', false],
  ])('%j with %j', (payload, sessionId, session, hasSession) => {
    const event = read(payload, { eventHint: 'Stop', ...(sessionId === undefined ? {} : { sessionId }) });
    expect(event).toMatchObject({ name: 'turn.stop', session, hasSession });
  });
});

describe('sub-agents', () => {
  it.each([
    [
      { agent_id: 'a1', agent_type: 'Explore' },
      { id: 'a1', type: 'Explore' },
    ],
    [
      { agent_id: 'a1', agent_type: '' },
      { id: 'a1', type: '' },
    ],
    [{ agentId: 'a1' }, { id: 'a1', type: '' }],
    [{ agent_type: 'Explore' }, undefined],
    [{ agent_id: '', agent_type: 'Explore' }, undefined],
  ])('%j', (fields, expected) => {
    expect(read({ hook_event_name: 'PreToolUse', ...fields }).subagent).toEqual(expected);
  });
});

describe('prompts', () => {
  it.each([
    ['hello', undefined, 'human'],
    ['hello', 'user', 'human'],
    ['hello', 'sdk', 'human'],
    ['hello', 'source_of_tomorrow', 'human'],
    ['hello', 'system', 'system'],
    ['hello', 'loop_wakeup', 'system'],
    ['hello', 'schedule_wakeup', 'system'],
    ['hello', 'poll_event', 'system'],
    ['<task-notification>\n<task-id>b</task-id>', undefined, 'notification'],
    ['\n<task-notification>', 'system', 'notification'],
    ['what is a <task-notification>?', undefined, 'human'],
  ])('%j from %j is %s', (prompt, source, origin) => {
    expect(read({ hook_event_name: 'UserPromptSubmit', prompt, source }).prompt).toEqual({ text: prompt, origin });
  });
});

describe('tools', () => {
  it.each([
    ['Bash', 'shell'],
    ['Read', 'read'],
    ['Write', 'write'],
    ['MultiEdit', 'edit'],
    ['NotebookEdit', 'edit'],
    ['Grep', 'search'],
    ['Glob', 'glob'],
    ['LS', 'list'],
    ['Task', 'agent'],
    ['Agent', 'agent'],
    ['Skill', 'skill'],
    ['EnterPlanMode', 'plan'],
    ['ExitPlanMode', 'other'],
    ['WebFetch', 'fetch'],
    ['WebSearch', 'web'],
    ['mcp__a__b', 'mcp'],
    ['mcp__a', 'other'],
    ['mcp__', 'other'],
    ['mcp____b', 'other'],
    ['mcp__a__', 'other'],
    ['ToolOfTomorrow', 'other'],
    ['constructor', 'other'],
  ])('%s is %s', (name, kind) => {
    expect(readTool(name)).toMatchObject({ name, kind, hasInput: false, input: {}, paths: [], edits: [] });
  });

  it.each([[undefined], [null], ['ls'], [['ls']], [3]])('takes arguments %j for absent', (tool_input) => {
    expect(readTool('Bash', { tool_input })).toMatchObject({ hasInput: false, input: {} });
  });

  it.each([
    [{ command: 'ls -l' }, 'ls -l'],
    [{ command: ['rm', '-rf', '/'] }, 'rm -rf /'],
    [{ command: ['bash', '-c', "rm -rf / 'x'"] }, `bash -c 'rm -rf / '\\''x'\\'''`],
    [{ command: ['rm -rf /'] }, 'rm -rf /'],
    [{ command: ['rm', 3] }, undefined],
    [{ command: [] }, undefined],
    ['rm -rf /', 'rm -rf /'],
    [['rm', '-rf', '/'], 'rm -rf /'],
    [3, undefined],
  ])('the command of %j is %j', (tool_input, command) => {
    expect(readTool('Bash', { tool_input }).command).toBe(command);
  });

  it.each([
    ['mcp__codegraph__search', undefined, 'codegraph', 'search'],
    ['mcp__plugin_graphs_codegraph__search', undefined, 'codegraph', 'search'],
    ['mcp__plugin_graphs_code_graph__search', undefined, 'code_graph', 'search'],
    ['mcp__plugin_graphs__search', undefined, 'plugin_graphs', 'search'],
    ['mcp__codegraph2__x', undefined, 'codegraph2', 'x'],
    ['mcp__a__b__c', undefined, 'a', 'b__c'],
    ['mcp__my__server__b', { name: 'my  server' }, 'my  server', 'b'],
    ['mcp__plugin_my_graphs_codegraph__b', { name: 'plugin:my_graphs:codegraph' }, 'codegraph', 'b'],
    ['mcp__a__b', { name: 'another' }, 'a', 'b'],
    ['mcp__a__b', 'broken', 'a', 'b'],
  ])('%s with %j', (name, mcp_server, server, tool) => {
    expect(readTool(name, { mcp_server }).mcp).toEqual({ server, tool });
  });
});

describe('paths', () => {
  it.each([
    ['Read', { file_path: 'a.ts' }, undefined, ['/home/dev/project/src/a.ts']],
    ['Read', { filePath: '~/a.ts' }, undefined, ['/home/dev/a.ts']],
    ['Read', { file_path: 'file:///x/a%20b.ts' }, undefined, ['/x/a b.ts']],
    ['Read', {}, { file: { filePath: '../a.ts' } }, ['/home/dev/project/a.ts']],
    ['Edit', { file_path: '/in.ts' }, { filePath: '/out.ts' }, ['/in.ts']],
    ['Write', { content: 'x' }, { filePath: '/out.ts' }, ['/out.ts']],
    ['NotebookEdit', { notebookPath: '/n.ipynb' }, undefined, ['/n.ipynb']],
    ['Grep', { pattern: 'x', path: '../lib' }, undefined, ['/home/dev/project/lib']],
    ['Glob', { pattern: '*.ts', folder: '/x' }, undefined, ['/x']],
    ['LS', { directory_path: '/x' }, undefined, ['/x']],
    ['Bash', { command: 'cat /x', path: '/x' }, undefined, []],
    ['mcp__fs__move', { source: '/a', destination: 'b' }, undefined, ['/a', '/home/dev/project/src/b']],
    ['mcp__fs__read', { uri: 'file:///a/b', path: '/a/b' }, undefined, ['/a/b']],
    ['mcp__web__get', { uri: 'https://example.org/a', path: 'two\nlines' }, undefined, []],
    ['mcp__fs__many', { paths: ['/a', 3, '/b'], files: [{ path: '/c' }, null] }, undefined, ['/a', '/b', '/c']],
    ['ToolOfTomorrow', { file_path: '/a' }, undefined, ['/a']],
  ])('%s %j %j', (name, tool_input, tool_response, expected) => {
    expect(readTool(name, { tool_input, tool_response }, 'PostToolUse').paths).toEqual(expected);
  });
});

describe('edits', () => {
  const path = '/home/dev/project/src/a';
  it.each([
    ['Write', { file_path: 'a', content: '' }, [{ path, operation: 'write', new: '' }]],
    ['Write', { file_path: 'a' }, [{ path, operation: 'write' }]],
    ['Edit', { file_path: 'a', old_string: 'x', new_string: '' }, [{ path, operation: 'replace', old: 'x', new: '' }]],
    ['Edit', { filePath: 'a', oldString: 'x', newString: 'y' }, [{ path, operation: 'replace', old: 'x', new: 'y' }]],
    ['Edit', { old_string: 'x', new_string: 'y' }, [{ path: '', operation: 'replace', old: 'x', new: 'y' }]],
    [
      'MultiEdit',
      { file_path: 'a', edits: [{ old_string: 'x', new_string: 'y' }, null, { old_string: 'y', new_string: 'z' }] },
      [
        { path, operation: 'replace', old: 'x', new: 'y' },
        { path, operation: 'replace', old: 'y', new: 'z' },
      ],
    ],
    [
      'Edit',
      { file_path: 'a', old_string: 'x', new_string: 'y', replace_all: true },
      [{ path, operation: 'replace', old: 'x', new: 'y', all: true }],
    ],
    ['NotebookEdit', { notebook_path: 'a', new_source: 's' }, [{ path, operation: 'replace', new: 's', cell: {} }]],
    [
      'NotebookEdit',
      { notebook_path: 'a', new_source: 's', edit_mode: 'insert', cell_id: 'c1', cell_type: 'markdown' },
      [{ path, operation: 'insert', new: 's', cell: { id: 'c1', kind: 'markdown' } }],
    ],
    ['NotebookEdit', { notebook_path: 'a', new_source: '', edit_mode: 'delete' }, [{ path, operation: 'delete' }]],
    ['Read', { file_path: 'a' }, []],
    ['Edit', undefined, []],
  ])('%s %j', (name, tool_input, expected) => {
    expect(readTool(name, { tool_input }).edits).toEqual(expected);
  });
});

describe('results', () => {
  it.each([
    ['Bash', { stdout: 'out', stderr: '' }, 'out'],
    ['Bash', { stdout: '', stderr: 'err' }, 'err'],
    ['Bash', { stdout: 'out', stderr: 'err' }, 'out\nerr'],
    ['Bash', { stdout: '', stderr: '' }, ''],
    ['Read', { type: 'text', file: { content: 'text' } }, 'text'],
    ['Read', { type: 'notebook', file: { cells: [] } }, undefined],
    ['Grep', { mode: 'content', content: 'a:1', filenames: [] }, 'a:1'],
    ['Grep', { mode: 'files_with_matches', filenames: ['a', 'b'] }, 'a\nb'],
    ['Glob', { filenames: ['a'] }, 'a'],
    ['Write', { content: 'the file', filePath: '/a' }, undefined],
    ['Agent', { status: 'completed', content: [{ type: 'text', text: 'report' }] }, 'report'],
    ['mcp__a__b', [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }], 'a\nb'],
    ['mcp__a__b', 'plain', 'plain'],
    ['ToolOfTomorrow', { anything: 1 }, undefined],
  ])('%s %j', (name, tool_response, expected) => {
    const tool = readTool(name, { tool_response }, 'PostToolUse');
    expect(tool.outputText).toBe(expected);
    expect(tool.failed).toBeUndefined();
    expect(tool.output).toBe(tool_response);
  });

  it.each([
    [{ success: false }, undefined],
    [{ is_error: true, content: 'x' }, undefined],
    [{ isError: true, error: 'bad' }, 'bad'],
    [{ error: 'bad' }, 'bad'],
    [{ error: { message: 'bad' } }, 'bad'],
    ['<tool_use_error>bad</tool_use_error>', 'bad'],
  ])('knows the failure %j', (tool_response, error) => {
    const tool = readTool('Read', { tool_response }, 'PostToolUse');
    expect(tool.failed).toBe(true);
    expect(tool.error).toBe(error);
  });

  it.each([[{ error: '' }], [{ error: null, success: true, is_error: false }]])(
    'takes %j for a success',
    (tool_response) => {
      expect(readTool('Read', { tool_response }, 'PostToolUse').failed).toBeUndefined();
    },
  );

  it('knows the lines that were asked for, else those that came', () => {
    const tool_response = { file: { startLine: 5, numLines: 6 } };
    expect(readTool('Read', { tool_input: { offset: 2, limit: 3 }, tool_response }).lines).toEqual({
      first: 2,
      count: 3,
    });
    expect(readTool('Read', { tool_response }).lines).toEqual({ first: 5, count: 6 });
    expect(readTool('Read', { tool_input: { limit: 3 } }).lines).toEqual({ count: 3 });
    expect(readTool('Read').lines).toBeUndefined();
  });
});

describe('what never arrives from a client', () => {
  const throwing = {
    hook_event_name: 'Stop',
    get cwd(): string {
      throw new Error('no');
    },
  };
  const proxy = new Proxy(
    {},
    {
      get: () => {
        throw new Error('no');
      },
    },
  );
  let deep: unknown = 'end';
  for (let level = 0; level < 20_000; level += 1) deep = { tool_input: deep };

  it.each([
    ['null', null],
    ['a list', [{ hook_event_name: 'Stop' }]],
    ['a text', '{"hook_event_name":"Stop"}'],
    ['a number', 3],
    ['a function', () => 3],
    ['a getter', throwing],
    ['a proxy', proxy],
  ])('%s is an unknown event', (_, payload) => {
    expect(read(payload)).toMatchObject({
      name: 'unknown',
      agent: 'claude-code',
      cwd: '/home/dev/project',
      hasSession: false,
    });
  });

  it('deep nesting is passed on', () => {
    expect(readTool('Bash', { tool_input: deep }).hasInput).toBe(true);
  });

  it('the body names the event, the hint is for bodies without a name that is known', () => {
    expect(read({ hook_event_name: 'Nope' }, { eventHint: 'Stop' }).name).toBe('turn.stop');
    expect(read({ hook_event_name: 'Nope' }, { eventHint: 'Never' })).toMatchObject({
      name: 'unknown',
      agentEvent: 'Nope',
    });
    expect(read({ hook_event_name: 5 }, { eventHint: 'Stop' })).toMatchObject({
      name: 'turn.stop',
      agentEvent: 'Stop',
    });
    expect(read({ hook_event_name: 'Nope', tool_name: 'Bash', tool_input: { command: 'ls' } }).tool?.command).toBe(
      'ls',
    );
  });
});

it('carries what the call told', () => {
  const call = { depth: 2, attended: false, projectDir: '/p', receivedAt: 9, cwd: '/c' };
  expect(read({ hook_event_name: 'Stop' }, call)).toMatchObject(call);
  expect(read({ hook_event_name: 'Stop', cwd: '~/x' }).cwd).toBe('/home/dev/x');
});

it.each([
  ['PreToolUse', 'PostToolUse', 'tool.before'],
  ['PreToolUse', 'EventOfTomorrow', 'tool.before'],
  ['PermissionRequest', 'EventOfTomorrow', 'permission.request'],
  ['Stop', 'SubagentStop', 'subagent.stop'],
  ['EventOfTomorrow', 'PreToolUse', 'tool.before'],
])('an entry for %s that gets %s', (eventHint, hook_event_name, name) => {
  expect(read({ hook_event_name, tool_name: 'Bash' }, { eventHint }).name).toBe(name);
});
