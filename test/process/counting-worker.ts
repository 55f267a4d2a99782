// One engine process as the command transport starts it, with one rule that counts. It waits for a payload on stdin,
// handles it again and again under new call ids, and writes each id to stdout once the event has been answered.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createRuleIndex } from '../../src/engine/match/rule-index.ts';
import { counter, defineRule, marker } from '../../src/engine/rule.ts';
import type { Place } from '../../src/engine/engine.ts';
import { openEngine } from '../../src/assembly/open-engine.ts';
import { pathsOf } from '../../src/platform/paths.ts';
import { answer } from '../../src/transport/answer.ts';

const [home = '', worker = '', events = '0'] = process.argv.slice(2);

const rule = defineRule({
  id: 'test/counts',
  pack: 'test',
  summary: 'Counts every call, and denies every fourth.',
  on: [{ event: 'tool.before' }],
  state: { exact: counter('exact'), read: counter('read'), first: marker('first') },
  messages: { no: 'This is call {count}.' },
  check(_, { state, pass, deny }) {
    state.exact.add();
    if (state.first.first()) state.exact.add(0);
    const count = state.read.next();
    return count % 4 === 0 ? deny('no', { count }) : pass();
  },
});

async function main(payload: Readonly<Record<string, unknown>>): Promise<void> {
  const opened = openEngine({ paths: pathsOf(home), userHome: home, resident: false, keeps: 'trial' });
  const index = createRuleIndex([{ meta: rule, mode: 'enforce', options: {}, source: 'test', load: () => rule }]);
  const located = await opened.workspaces.locate(
    { name: 'unknown', agent: '', agentEvent: '', session: '', hasSession: false, cwd: home, depth: 0, receivedAt: 0 },
    undefined,
  );
  // The root names the call, so that its row can be found in the ledger.
  const locate: typeof opened.locate = ({ tool }): Place => ({
    ...located,
    root: tool?.id ?? '',
    policy: { ...located.policy, index },
  });
  for (let at = 0; at < Number(events); at += 1) {
    const id = `call-${worker}-${at}`;
    const body = Buffer.from(JSON.stringify({ ...payload, tool_use_id: id }));
    const { stdout } = await answer(
      { agent: 'claude-code', body, size: body.length, cwd: home, home, env: {} },
      { ...opened, locate },
    );
    writeSync(1, `${id} ${stdout === '' ? 'pass' : 'deny'}\n`);
  }
  opened.close();
}

createInterface({ input: process.stdin }).once('line', (line) => {
  main(JSON.parse(line) as Record<string, unknown>).then(
    () => process.exit(0),
    (error: unknown) => {
      writeSync(2, `${String(error)}\n`);
      process.exit(1);
    },
  );
});
writeSync(1, 'ready\n');
