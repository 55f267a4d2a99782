import { describe, expect, it } from 'vitest';
import { lacks } from '../../test/lacking.ts';
import { playSession } from './played-session.fixture.ts';
import type { Step } from './played-session.fixture.ts';
import { nodeFiles } from '../platform/files.ts';

/** What was said or decided, event by event; what passed in silence is left out. */
function told(steps: readonly Step[], about: RegExp): string[] {
  return steps.flatMap(({ what, answer: { action, note, reason } }) => {
    if (!about.test(note + reason)) return [];
    return [`${what}: ${action === 'pass' ? 'note' : action}`];
  });
}

describe('recorded sessions, played through the packs', () => {
  it('code-search: one nudge per turn, none once the graph was used, and the scout hears its own', async () => {
    // The server of the recording offers one tool of its own; what the person has registered says which can be named.
    const registered = '{"mcpServers":{"codegraph":{"command":"x"}}}';
    const options = { config: 'packs: { codegraph: on }', homeFiles: { '.claude.json': registered } };
    const { world, steps } = await playSession('code-search', options);
    try {
      expect(told(steps, /codegraph\/search-nudge/)).toEqual([
        'PreToolUse Grep: note',
        'PreToolUse Glob: note',
        'PreToolUse Bash: note',
      ]);
      const [first, second, scout] = steps.filter(({ answer }) => answer.note.includes('search-nudge'));
      expect(first?.answer.note).toContain('parseConfig');
      expect(first?.payload['agent_id']).toBeUndefined();
      expect(second?.payload['tool_name']).toBe('Glob');
      expect(scout?.payload['agent_id']).toBe('aa96378b69f1f521b');
      expect(scout?.answer.note).toContain('readFlags');
      expect(Object.values(world.cells('codegraph.mark'))).toMatchObject([
        { agent: 'main', turn: 1, families: ['codegraph'], outcome: 'used' },
      ]);
    } finally {
      world.close();
    }
  });

  it.skipIf(lacks('graph-easy'))(
    'diagrams: what was typed is stopped, what the tool made and what has its source passes',
    async () => {
      const { world, steps } = await playSession(
        'diagrams',
        { config: 'packs: { diagrams: on }' },
        async (step, at) => {
          // The run of the tool speaks for one drawing of the next half minute.
          if (step.payload['prompt'] === 'Add the queue as well.') await at.pass(31_000);
        },
      );
      try {
        expect(told(steps, /without a source/)).toEqual(['PreToolUse Write: deny', 'PreToolUse Bash: deny']);
        expect(nodeFiles.exists(`${world.root}/docs/flow.md`)).toBe(false);
        expect(world.read('docs/engine.md')).toContain('│ Engine │');
        expect(world.read('docs/intro.md')).toBe('# Intro\n\nHow it works, in short.\n');
        expect(world.read('docs/queue.md')).toContain('graph-easy source');
      } finally {
        world.close();
      }
    },
  );

  it('increments: tasks reach the spec, and the increment is closed when nothing is open', async () => {
    const done: string[] = [];
    const { world, steps } = await playSession('increments', {}, async ({ what }, at) => {
      if (what === 'PostToolUse Bash') await at.pass(1_000);
      done.push(`${what} ${at.read('.specweave/increments/0001-demo/spec.md').match(/\[x\]/g)?.length ?? 0}`);
    });
    try {
      expect(told(steps, /not complete/)).toEqual(['PreToolUse Edit: deny']);
      expect(done.find((line) => line.endsWith(' 2'))).toBe('PostToolUse Bash 2');
      expect(told(steps, /Fairlead ticked/)).toHaveLength(1);
      await world.pass(3_000);
      const status = JSON.parse(world.read('.specweave/state/status-line.json')) as { current: unknown };
      expect(status.current).toBeNull();
      expect(JSON.parse(world.read('.specweave/increments/0001-demo/metadata.json'))).toMatchObject({
        status: 'completed',
      });
    } finally {
      world.close();
    }
  });
});
