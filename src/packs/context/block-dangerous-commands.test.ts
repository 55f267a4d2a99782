import { expect, it } from 'vitest';
import rule from './block-dangerous-commands.ts';
import { activate, send, testEngine, toolEvent } from '../../engine/engine.fixture.ts';
import type { Mode } from '../../event/verdict.ts';
import { createMemoryStore } from '../../state/memory.ts';
import { pausedId } from '../../engine/session.ts';

async function answer(command: string, options: Record<string, unknown> = {}, mode: Mode = 'enforce'): Promise<string> {
  const engine = testEngine([activate(rule, mode, options)]);
  const { action } = await send(engine, toolEvent({ command, input: { command } }));
  const verdicts = (engine.recorded.at(-1)?.detail.trace as { verdicts?: { variant?: string }[] }[] | undefined) ?? [];
  return [action, ...verdicts.flatMap(({ verdicts: said = [] }) => said.map(({ variant }) => variant))].join(' ');
}

it.each<[string, string]>([
  ['ls; sudo ls', 'deny sudo'],
  ['a | sudo b', 'deny sudo'],
  ['echo $(sudo id)', 'deny sudo'],
  ['doas ls', 'deny sudo'],
  ['git push', 'deny git-push'],
  ['a && git -C r push -f', 'deny git-push'],
  ['cp -r a b /usr/bin', 'deny cp-to-bin'],
  ['cp -t /usr/local/bin a b', 'deny cp-to-bin'],
  ['mv x $HOME/go/bin/x', 'deny cp-to-bin'],
  ['install -m 755 a ~/.local/bin/', 'deny install-to-bin'],
  ['echo x > ~/.local/bin/x', 'deny install-to-bin'],
  ['a && sudo cp x /usr/bin', 'deny sudo'],
  ['git commit -m "then git push"', 'pass'],
  ['grep sudo f', 'pass'],
  ['cp a ./bin/', 'pass'],
  ['git push --dry-run', 'pass'],
])('%s: %s', async (command, expected) => {
  expect(await answer(command)).toBe(expected);
});

it.each<[string, Record<string, unknown>, string]>([
  ['git push', { position: 'mid' }, 'pass'],
  ['sudo ls', { position: 'mid' }, 'pass'],
  ['ls && git push', { position: 'mid' }, 'deny git-push'],
  ['git push', { ask: ['git-push'] }, 'ask git-push'],
  ['sudo ls', { ask: ['git-push'] }, 'deny sudo'],
  ['cp a /srv/bin', { bin_dirs: ['/srv/bin'] }, 'deny cp-to-bin'],
  ['cp a /usr/bin', { bin_dirs: ['/srv/bin'] }, 'pass'],
])('%s with %o: %s', async (command, options, expected) => {
  expect(await answer(command, options)).toBe(expected);
});

it('acts in a session that is paused, and not when it is off', async () => {
  const store = createMemoryStore();
  const value = JSON.stringify({ since: 0, turns: 0 });
  store.commit({ reads: new Map(), changes: [{ op: 'set', id: pausedId('s1'), value, expires: 0 }], now: 0 });
  const sudo = toolEvent({ command: 'a && sudo b', input: {} });
  expect((await send(testEngine([activate(rule)], { store }), sudo)).action).toBe('deny');
  expect(await answer('sudo ls', {}, 'off')).toBe('pass');
});

it('says what was seen and what to do', async () => {
  const command = 'cp build/tool /usr/local/bin/';
  const { reason } = await send(testEngine([activate(rule)]), toolEvent({ command, input: { command } }));
  expect(reason).toContain(`\`${command}\``);
  expect(reason).toContain('inside the project');
});
