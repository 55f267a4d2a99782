import { defineRule, redact, redactCommand } from '../../engine/rule.ts';
import type { Event } from '../../engine/rule.ts';
import { isLive, join, keepChange, leave, MEMORY } from './memory.ts';
import type { Memory } from './memory.ts';
import type { View } from './overlaps.ts';
import { holdRunning, RUNNING } from './running.ts';
import { changedBy, editedBy } from './targets.ts';
import type { Target } from './targets.ts';

export default defineRule({
  id: 'peers/changes',
  pack: 'peers',
  summary: 'Keeps in mind which session changes which file, and which sessions go on.',
  on: [
    { event: 'tool.after', tool: ['write', 'edit'] },
    { event: 'tool.before', tool: ['shell', 'mcp', 'other'], effect: ['write', 'delete', 'discard'], ifKnown: true },
    { event: ['session.start', 'prompt.submit', 'session.end'] },
  ],
  needs: { session: true },
  mode: 'advise',
  whilePaused: true,
  priority: 10,
  state: { ...MEMORY, ...RUNNING },
  messages: {},
  examples: {
    pass: [
      { event: 'tool.after', tool: 'edit', path: 'src/app.ts', old: 'a', new: 'b' },
      { tool: 'shell', command: 'sed -i s/a/b/ src/app.ts' },
    ],
  },
  check(event, { effects, workspace, machine, state, now, pass }) {
    const { session, agent } = event;
    if (event.name === 'session.end') leave(state, session);
    else if (event.name === 'tool.before') holdRunning(state, event, changedBy(effects, workspace));
    else if (event.name === 'tool.after')
      keepChanges(state, event, { tree: workspace.root, machine }, editedBy(event, workspace));
    else if (isLive(state, session)) join(state, session, { agent, at: now });
    return pass('kept in mind');
  },
});

export function keepChanges(
  memory: Memory,
  event: Event,
  { tree, machine }: Omit<View, 'session'>,
  targets: readonly Target[],
): void {
  const { session, agent, receivedAt: at } = event;
  if (targets.length === 0) return;
  isLive(memory, session);
  for (const { name, like, how, what, since } of targets)
    keepChange(memory, name, {
      by: session,
      agent,
      at,
      tree,
      ...(machine !== undefined && { machine }),
      how,
      ...(what !== undefined && { what: fit(how === 'edited' ? redact(what) : redactCommand(what)) }),
      ...(like !== undefined && { like }),
      ...(since !== undefined && { since }),
    });
  join(memory, session, { agent, at });
}

const fit = (text: string): string => text.slice(0, 80);
