import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHECKOUT, TRANSPORTS } from './home.ts';
import type { Home } from './home.ts';
import { inHome } from './in-home.ts';
import { bash, call, read, say, turn, write } from './model.ts';
import { heard, heardInAll } from './session.ts';
import { until } from './until.ts';

const edit = (path: string, before: string, after: string) =>
  call('Edit', { file_path: path, old_string: before, new_string: after });

function put({ project }: Home, path: string, text: string): string {
  const full = join(project, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

/** A project with an index, and the person's settings with the server that answers from it. */
function plantGraph(home: Home): void {
  put(home, '.codegraph/codegraph.db', 'index');
  const server = { type: 'stdio', command: process.execPath, args: [join(CHECKOUT, 'test/e2e/graph-server.mjs')] };
  writeFileSync(join(home.dir, '.claude.json'), JSON.stringify({ mcpServers: { codegraph: server } }));
}

const explore = (query: string) => call('mcp__codegraph__codegraph_explore', { query });
const GRAPH_TOOLS = ['--allowedTools', 'Read,Bash,Agent,mcp__codegraph__codegraph_explore'];

describe.each(TRANSPORTS)('the search nudge over %s', (transport) => {
  it('reaches the model once per turn, and not after the graph was used', () =>
    inHome({ transport, init: ['--pack', 'codegraph', '--user'] }, async (home, run) => {
      plantGraph(home);
      const session = await run({
        prompts: ['Where is the answer?', 'And again?', 'Once more?'],
        args: GRAPH_TOOLS,
        script: {
          main: [
            ...[turn(bash('grep -rn answer .')), turn(bash('grep -rn answer src')), say('Found.')],
            ...[turn(bash('grep -rn answer .')), say('Found.')],
            ...[turn(explore('answer')), turn(bash('grep -rn answer .')), say('Found.')],
          ],
        },
      });
      const nudges = heardInAll(session).filter((text) => text.includes('[codegraph/search-nudge]'));
      expect(nudges).toHaveLength(2);
      expect(nudges[0]).toContain('mcp__codegraph__codegraph_explore');
      expect(nudges[0]).toContain('answer');
      expect(heard(session, 2).some((text) => text.includes('search-nudge'))).toBe(true);
    }));

  it('is a block in careful mode, which names the way on', () =>
    inHome({ transport, init: ['--pack', 'codegraph', '--user'] }, async (home, run) => {
      plantGraph(home);
      expect((await home.byPerson('careful', 'on')).code).toBe(0);
      const search = bash('grep -rn answer .');
      const again = bash('grep -rn answer .');
      const session = await run({
        args: GRAPH_TOOLS,
        script: { main: [turn(search), turn(explore('answer')), turn(again), say('Done.')] },
      });
      const denied = session.results.get(search.id);
      expect(denied?.failed).toBe(true);
      expect(denied?.text).toContain('careful');
      expect(denied?.text).toContain('mcp__codegraph__codegraph_explore');
      expect(session.results.get(again.id)?.failed).toBe(false);
    }));
});

describe.each(TRANSPORTS)('drawings over %s', (transport) => {
  it('are denied when typed by hand, and pass after the tool that made them ran', () =>
    inHome({ transport, init: ['--pack', 'diagrams', '--user'] }, async (home, run) => {
      const art = execFileSync('graph-easy', ['--as=boxart'], {
        input: '[ Client ] -- asks --> [ Engine ]\n',
        encoding: 'utf8',
      });
      const page = `# Flow\n\n\`\`\`\n${art}\`\`\`\n`;
      const path = join(home.project, 'docs', 'flow.md');
      const byHand = write(path, page);
      const made = bash(`printf '[ Client ] -- asks --> [ Engine ]\\n' | graph-easy --as=boxart`);
      const pasted = write(path, page);
      const session = await run({
        script: {
          main: [
            turn(byHand),
            { ...turn(made), first: () => expect(existsSync(path)).toBe(false) },
            turn(pasted),
            say('Done.'),
          ],
        },
      });
      expect(session.results.get(byHand.id)).toMatchObject({
        failed: true,
        text: expect.stringContaining('2 boxes drawn without a source') as string,
      });
      expect(session.results.get(pasted.id)).toMatchObject({ failed: false });
      expect(readFileSync(path, 'utf8')).toBe(page);
    }));
});

const INCREMENT = '.specweave/increments/0001-demo';
const TASKS = `# Tasks\n\n## T-001: Parse\n\n**AC**: AC-US1-01\n- [ ] write it\n`;
const SPEC = `---\nstatus: active\n---\n\n# Demo\n\n### US-001: Read\n\n- [ ] **AC-US1-01**: It is parsed.\n`;
const METADATA = `${JSON.stringify({ id: '0001-demo', status: 'active', created: '2026-01-01T00:00:00Z' }, null, 2)}\n`;

describe.each(TRANSPORTS)('increments over %s', (transport) => {
  it('follow their tasks: the spec, the status line, and the way to completion', () =>
    inHome({ transport }, async (home, run) => {
      const tasks = put(home, `${INCREMENT}/tasks.md`, TASKS);
      const spec = put(home, `${INCREMENT}/spec.md`, SPEC);
      const state = put(home, `${INCREMENT}/metadata.json`, METADATA);
      const early = edit(state, '"active"', '"completed"');
      const done = edit(state, '"active"', '"completed"');
      const isTicked = () => readFileSync(spec, 'utf8').includes('- [x] **AC-US1-01**');
      const session = await run({
        args: ['--allowedTools', 'Read,Bash,Edit'],
        script: {
          main: [
            turn(read(tasks), read(state)),
            turn(early),
            turn(edit(tasks, '- [ ] write it', '- [x] write it')),
            {
              ...turn(bash('true')),
              first: async () => expect(await until(isTicked), 'the criterion is ticked').toBe(true),
            },
            turn(read(state)),
            turn(done),
            say('Done.'),
          ],
        },
      });
      expect(session.results.get(early.id)).toMatchObject({
        failed: true,
        text: expect.stringContaining('1 open task (T-001)') as string,
      });
      expect(readFileSync(spec, 'utf8')).toBe(SPEC.replace('- [ ]', '- [x]'));
      expect(heardInAll(session).join('\n')).toContain('AC-US1-01');
      expect(session.results.get(done.id)).toMatchObject({ failed: false });
      const line = () => home.fairlead('statusline');
      expect(await until(() => !line().includes('[demo]')), 'the status line has let go of it').toBe(true);
    }));

  it('show on the status line', () =>
    inHome({ transport }, async (home, run) => {
      const tasks = put(home, `${INCREMENT}/tasks.md`, `${TASKS}\n## T-002: Report\n\n- [ ] name the line\n`);
      put(home, `${INCREMENT}/spec.md`, SPEC);
      put(home, `${INCREMENT}/metadata.json`, METADATA);
      await run({
        args: ['--allowedTools', 'Read,Bash,Edit'],
        script: {
          main: [turn(read(tasks)), turn(edit(tasks, '- [ ] write it', '- [x] write it')), say('Done.')],
        },
      });
      const file = join(home.project, '.specweave', 'state', 'status-line.json');
      expect(await until(() => existsSync(file)), 'the status line is written').toBe(true);
      expect(home.fairlead('statusline')).toContain('[demo] | ████░░░░ | 1/2 tasks | 1/1 ACs');
    }));
});
