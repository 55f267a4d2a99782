import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../event/event.ts';
import { SURROUNDINGS, lineOf } from './scene.fixture.ts';
import { shellTextOf, sqlTextOf } from './tool-names.ts';
import { readToolEffects } from './tools.ts';

const ROOT = SURROUNDINGS.root;

function call(about: Partial<ToolCall>): ToolCall {
  return { kind: 'mcp', name: 'x', input: {}, hasInput: true, paths: [], edits: [], ...about };
}

function foreign(tool: string, input: Record<string, unknown>, ...paths: string[]): ToolCall {
  return call({ name: `mcp__files__${tool}`, mcp: { server: 'files', tool }, input, paths });
}

const lines = (tool: ToolCall): readonly string[] => readToolEffects(tool, SURROUNDINGS).map(lineOf);

describe('readToolEffects', () => {
  it('writes, edits and reads as a command would', () => {
    const paths = [`${ROOT}/.env`];
    expect(lines(call({ kind: 'write', paths }))).toEqual(['overwrite:write-tool .env @inside secret']);
    expect(lines(call({ kind: 'edit', paths }))).toEqual(['write:edit .env @inside secret']);
    expect(lines(call({ kind: 'read', paths }))).toEqual(['read-secret:read .env @inside secret']);
    expect(lines(call({ kind: 'search', paths }))).toEqual(['read-secret:read .env @inside secret']);
    expect(lines(call({ kind: 'read', paths: [`${ROOT}/src/a.ts`] }))).toEqual([]);
    expect(lines(call({ kind: 'glob', paths }))).toEqual([]);
    expect(lines(call({ kind: 'write', paths: ['/etc/hosts'] }))).toEqual(['overwrite:write-tool /etc/hosts @system']);
  });

  it.each([
    ['write_file', 'overwrite:write-tool src @inside'],
    ['createFile', 'overwrite:write-tool src @inside'],
    ['edit_file', 'write:edit src @inside'],
    ['append-file', 'write:append src @inside'],
    ['create_directory', 'write:mkdir src @inside'],
    ['delete_file', 'delete:remove src @inside'],
    ['remove_directory', 'delete:forced src @inside tree'],
  ])('%s', (tool, line) => {
    expect(lines(foreign(tool, { path: 'src' }, `${ROOT}/src`))).toEqual([line]);
  });

  it.each(['list_directory', 'search_files', 'get_file_info', 'delete_issue'])('%s has none', (tool) => {
    const paths = tool === 'delete_issue' ? [] : [`${ROOT}/.env`];
    expect(lines(foreign(tool, {}, ...paths))).toEqual([]);
  });

  it('reads secrets among many files', () => {
    const tool = foreign('read_multiple_files', {}, `${ROOT}/a`, `${ROOT}/.env`);
    expect(lines(tool)).toEqual(['read-secret:read .env @inside secret']);
  });

  it('moves away and onto', () => {
    const input = { source: ROOT, destination: '/tmp/x' };
    expect(lines(foreign('move_file', input, ROOT, '/tmp/x'))).toEqual([
      'delete:move . @workspace tree',
      'overwrite:move /tmp/x @temp',
    ]);
    expect(lines(foreign('copy_file', { source: '.env', destination: 'x' }))).toEqual([
      'read-secret:read .env @inside secret',
      'overwrite:copy x @inside',
    ]);
  });

  it('leaves files of a repository elsewhere alone', () => {
    expect(lines(foreign('delete_file', { owner: 'a', repo: 'b', path: 'x' }, `${ROOT}/x`))).toEqual([]);
  });
});

describe('shellTextOf', () => {
  it.each([
    ['run_command', { command: 'rm -rf /' }, 'rm -rf /'],
    ['execute', { cmd: ['rm', '-rf', 'a b'] }, "rm -rf 'a b'"],
    ['start_process', { command: 'git', args: ['commit', '-m', "it's"] }, "git commit -m 'it'\\''s'"],
    ['terminal', { commands: ['cd x', 'make'] }, 'cd x\nmake'],
    ['run_script', { script: 'ls' }, 'ls'],
    ['view_editor', { command: 'view' }, undefined],
    ['run_tests', { path: 'a' }, undefined],
  ])('%s', (tool, input, text) => expect(shellTextOf(foreign(tool, input))).toBe(text));
});

describe('sqlTextOf', () => {
  it.each([
    ['execute_sql', { sql: 'DROP TABLE a' }, 'DROP TABLE a'],
    ['query', { query: 'delete from a' }, 'delete from a'],
    ['search', { query: 'drop in replacement' }, undefined],
    ['query', { query: 'how to use this' }, undefined],
  ])('%s', (tool, input, text) => expect(sqlTextOf(foreign(tool, input))).toBe(text));
});
