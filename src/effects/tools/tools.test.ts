import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../../event/event.ts';
import { SURROUNDINGS, lineOf } from '../scene.fixture.ts';
import { looseTextOf, shellTextOf } from './commands.ts';
import { gitTextOf } from './git.ts';
import { sqlTextOf } from './names.ts';
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

  it('a file that goes away is gone, whatever else a patch does to it', () => {
    const path = `${ROOT}/wip.txt`;
    const edits = [
      { path, operation: 'remove' },
      { path, operation: 'replace' },
    ] as const;
    expect(lines(call({ kind: 'edit', paths: [path], edits }))).toEqual(['delete:remove wip.txt @inside']);
  });

  it('a patch adds, changes, moves and takes away', () => {
    const at = (name: string) => `${ROOT}/${name}`;
    const edits = [
      { path: at('new.ts'), operation: 'write' },
      { path: at('a.ts'), operation: 'remove', movedTo: at('b.ts') },
      { path: at('b.ts'), operation: 'replace' },
      { path: at('c.ts'), operation: 'replace' },
      { path: at('gone.ts'), operation: 'remove' },
    ] as const;
    expect(lines(call({ kind: 'edit', paths: edits.map(({ path }) => path), edits }))).toEqual([
      'overwrite:write-tool new.ts @inside',
      'write:moved-away a.ts @inside',
      'overwrite:move b.ts @inside',
      'write:edit c.ts @inside',
      'delete:remove gone.ts @inside',
    ]);
  });

  it.each([
    ['write_file', 'overwrite:write-tool src @inside'],
    ['createFile', 'overwrite:write-tool src @inside'],
    ['edit_file', 'write:edit src @inside'],
    ['append-file', 'write:append src @inside'],
    ['create_directory', 'write:mkdir src @inside'],
    ['delete_file', 'delete:remove src @inside'],
    ['remove_directory', 'delete:forced src @inside tree'],
    ['remove', 'delete:forced src @inside tree'],
    ['rm', 'delete:forced src @inside tree'],
    ['trashItem', 'delete:forced src @inside tree'],
    ['unlink', 'delete:remove src @inside'],
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

  it('takes the whole of a machine or a workspace for a tree, whatever the tool is called', () => {
    expect(lines(foreign('delete_file', { path: '/' }, '/'))).toEqual(['delete:forced / @root tree']);
    expect(lines(foreign('remove', { path: '/' }, '/'))).toEqual(['delete:forced / @root tree']);
  });

  it('searches the files that it is narrowed to', () => {
    const search = (input: ToolCall['input']) => lines(call({ kind: 'search', input }));
    const told = ['read-secret:read .env @inside secret'];
    expect(search({ glob: '.env', output_mode: 'content' })).toEqual(told);
    expect(search({ glob: '**/.env', output_mode: 'content' })).toHaveLength(1);
    expect(search({ glob: '.env', output_mode: 'files_with_matches' })).toEqual([]);
    expect(search({ glob: '.env' })).toEqual([]);
    expect(search({ glob: '!.env', output_mode: 'content' })).toEqual([]);
    expect(search({ glob: '*.ts', output_mode: 'content' })).toEqual([]);
  });

  it('moves away what is no more than a file or a directory', () => {
    expect(lines(foreign('rename', { oldPath: 'src', newPath: 'lib' }))).toEqual([
      'write:moved-away src @inside tree',
      'overwrite:move lib @inside',
    ]);
    expect(lines(foreign('move_file', { source: '.env', destination: 'x.txt' }))).toEqual([
      'write:moved-away .env @inside tree secret',
      'read-secret:read .env @inside secret',
      'overwrite:move x.txt @inside',
    ]);
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

  it('tells files of a repository elsewhere from those that are here', () => {
    const remote = { owner: 'a', repo: 'b', path: 'x' };
    expect(lines(foreign('delete_file', remote, `${ROOT}/x`))).toEqual(['destroy-cloud:tool x']);
    expect(lines(foreign('create_or_update_file', remote, `${ROOT}/x`))).toEqual([]);
    expect(lines(foreign('get_file_contents', remote, `${ROOT}/.env`))).toEqual([]);
  });

  it.each<[string, string, Record<string, unknown>, string[]]>([
    ['github', 'delete_repository', { owner: 'a', repo: 'b' }, ['destroy-cloud:tool b']],
    ['github', 'delete_branch', { owner: 'a', repo: 'b', branch: 'main' }, ['delete-branch:remote main']],
    ['kubernetes', 'delete_pod', { name: 'api' }, ['destroy-cloud:tool api']],
    ['kubernetes', 'pods_delete', { name: 'api' }, ['destroy-cloud:tool api']],
    ['aws-core', 'terminateInstances', {}, ['destroy-cloud:tool terminate instances']],
    ['kubernetes', 'pods_list', { name: 'api' }, []],
    ['github', 'get_issue', { owner: 'a', repo: 'b' }, []],
    ['notes', 'delete_note', { name: 'x' }, []],
  ])('%s %s', (server, tool, input, expected) => {
    expect(lines(call({ name: `mcp__${server}__${tool}`, mcp: { server, tool }, input }))).toEqual(expected);
  });

  it('sends a secret with what it is given', () => {
    const pushed = (path: string) =>
      lines(
        call({
          name: 'mcp__github__push_files',
          mcp: { server: 'github', tool: 'push_files' },
          input: { owner: 'a', repo: 'b', branch: 'main', files: [{ path, content: 'x' }] },
          paths: [`${ROOT}/${path}`],
        }),
      );
    expect(pushed('.env')).toEqual(['send:tool .env secret']);
    expect(pushed('.env.example')).toEqual([]);
    expect(pushed('src/a.ts')).toEqual([]);
  });
});

describe('shellTextOf', () => {
  it.each([
    ['run_command', { command: 'rm -rf /' }, 'rm -rf /'],
    ['execute', { cmd: ['rm', '-rf', 'a b'] }, "rm -rf 'a b'"],
    ['start_process', { command: 'git', args: ['commit', '-m', "it's"] }, "git commit -m 'it'\\''s'"],
    ['terminal', { commands: ['cd x', 'make'] }, 'cd x\nmake'],
    ['run_script', { script: 'ls' }, 'ls'],
    ['run_in_terminal', { input: 'rm -rf /' }, 'rm -rf /'],
    ['shell', { code: 'ls' }, 'ls'],
    ['bash', { args: ['rm', '-rf', '/'] }, 'rm -rf /'],
    ['run_query', { input: 'rm -rf /' }, undefined],
    ['view_editor', { command: 'view' }, undefined],
    ['run_tests', { path: 'a' }, undefined],
    ['bash', { args: ['-c', 'rm -rf /'] }, "sh -c 'rm -rf /'"],
    ['exec', { program: 'rm', arguments: ['-rf', '/'] }, 'rm -rf /'],
    ['exec', { spec: { steps: [{ command: 'rm', args: ['-rf', '/'] }] } }, 'rm -rf /'],
    ['exec', { command: { name: 'rm', args: ['-rf', '/'] } }, 'rm -rf /'],
    ['shell', { command: { text: 'rm -rf /' } }, 'rm -rf /'],
    ['shell', { command: 'bash', stdin: 'rm -rf /' }, "bash <<< 'rm -rf /'"],
    ['shell', { command: 'rm -rf .', cwd: '/' }, '(cd /\nrm -rf .\n)'],
    ['shell', { steps: [{ command: 'a', cwd: '/' }, { command: 'b' }] }, '(cd /\na\n)\nb'],
    ['send_to_terminal', { text: 'rm -rf /' }, 'rm -rf /'],
  ])('%s', (tool, input, text) => expect(shellTextOf(foreign(tool, input))).toBe(text));
});

describe('looseTextOf', () => {
  it.each([
    ['apply', { command: 'rm -rf /' }, 'rm -rf /'],
    ['apply', { args: ['-c', 'rm -rf /'] }, "sh -c 'rm -rf /'"],
    ['apply', { jobs: [{ program: 'rm', args: ['-rf', '/'] }] }, 'rm -rf /'],
    ['apply', { text: 'rm -rf /' }, undefined],
    ['explain_command', { command: 'rm -rf /' }, undefined],
    ['search', { command: 'rm -rf /' }, undefined],
  ])('%s %j', (tool, input, text) => expect(looseTextOf(foreign(tool, input))).toBe(text));
});

describe('gitTextOf', () => {
  it.each<[string, string, Record<string, unknown>, string | undefined]>([
    ['git', 'git_reset', { mode: 'hard' }, 'git reset --hard'],
    ['git', 'git_reset', { repo_path: '/r x', mode: 'hard', commit: 'a1b2' }, "git -C '/r x' reset --hard a1b2"],
    ['git', 'push', { force: true }, 'git push --force'],
    [
      'git',
      'git_push',
      { remote: 'origin', branch: 'main', forceWithLease: true },
      'git push --force-with-lease origin main',
    ],
    ['git', 'git_checkout', { branch_name: 'topic' }, 'git checkout topic'],
    ['git', 'git_checkout', { files: ['.'] }, 'git checkout -- .'],
    ['git', 'git_clean', { force: true, directories: true }, 'git clean --force -d'],
    ['git', 'git_stash', { action: 'drop' }, 'git stash drop'],
    ['git', 'git_stash_clear', {}, 'git stash clear'],
    ['git', 'delete_branch', { branch: 'x', force: true }, 'git branch --delete --force x'],
    ['git', 'git_commit', { amend: true, message: 'x' }, 'git commit --amend'],
    ['tools', 'git_reset', { mode: 'soft' }, 'git reset --soft'],
    ['git', 'git_status', {}, undefined],
    ['github', 'push_files', {}, undefined],
  ])('%s %s %j', (server, tool, input, text) => {
    expect(gitTextOf(call({ mcp: { server, tool }, input }))).toBe(text);
  });
});

describe('sqlTextOf', () => {
  it.each([
    ['execute_sql', { sql: 'DROP TABLE a' }, 'DROP TABLE a'],
    ['query', { query: 'delete from a' }, 'delete from a'],
    ['search', { query: 'drop in replacement' }, undefined],
    ['query', { query: 'how to use this' }, undefined],
  ])('%s', (tool, input, text) => expect(sqlTextOf(foreign(tool, input))).toBe(text));
});

it('commands that are nested in each other are read once each', () => {
  let input: Record<string, unknown> = { command: 'rm -rf /' };
  for (let depth = 0; depth < 90; depth += 1) input = { command: input };
  expect(shellTextOf(foreign('run_command', input))).toBe('rm -rf /');
  let empty: Record<string, unknown> = {};
  for (let depth = 0; depth < 90; depth += 1) empty = { command: empty, args: {} };
  expect(shellTextOf(foreign('run_command', empty))).toBeUndefined();
});
