// The list of commands that decisions are timed with: a change of it changes every figure.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { hashOf, readList } from '../bench/guard/list.ts';
import { adapterNamed } from '../src/adapters/registry.ts';
import { openEngine } from '../src/assembly/open-engine.ts';
import { handle } from '../src/handle.ts';
import { pathsOf } from '../src/platform/paths.ts';

const SAMPLE = 100;

describe('the list of commands', () => {
  const list = readList();

  it('is the frozen one', () => {
    expect(hashOf(list)).toBe('59dd63dce75e5b0b');
  });

  it('has 85 of 100 that pass, and no two alike', () => {
    for (let from = 0; from < list.length; from += 100)
      expect(list.slice(from, from + 100).filter(({ kind }) => kind === 'pass')).toHaveLength(85);
    expect(new Set(list.map(({ command }) => command)).size).toBe(list.length);
  });

  const scratch = join(process.cwd(), '.build');
  mkdirSync(scratch, { recursive: true });
  const home = mkdtempSync(join(scratch, 'bench-list-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('is answered as it says', async () => {
    const project = join(home, 'project');
    mkdirSync(join(project, '.git'), { recursive: true });
    writeFileSync(join(project, '.git/HEAD'), 'ref: refs/heads/main\n');
    const recorded = JSON.parse(readFileSync('test/fixtures/claude-code/PreToolUse/bash.json', 'utf8')) as object;
    const engine = openEngine({
      paths: pathsOf(join(home, 'fairlead')),
      userHome: home,
      resident: true,
      keeps: 'trial',
    });
    const adapter = adapterNamed('claude-code');
    if (!adapter) throw new Error('no adapter');
    const wrong: string[] = [];
    for (const [at, { command, kind }] of list.slice(0, SAMPLE).entries()) {
      const payload = {
        ...recorded,
        cwd: project,
        session_id: `s${at}`,
        tool_use_id: `t${at}`,
        tool_input: { command },
      };
      const call = { payload, cwd: project, depth: 0, home, receivedAt: Date.now() };
      const { stdout } = await handle(call, adapter, engine);
      if ((stdout === '') !== (kind === 'pass')) wrong.push(`${kind}: ${command}`);
    }
    // Rows of replies are written a moment later; what came after the end would make the folder anew.
    await sleep(200);
    engine.close();
    expect(wrong).toEqual([]);
  });
});
