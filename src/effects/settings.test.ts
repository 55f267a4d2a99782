import { describe, expect, it } from 'vitest';
import { effectsOf } from './effects.ts';
import type { Surroundings } from './scene.ts';
import { plainEvent, ROOT, toolEvent } from '../engine/engine.fixture.ts';
import type { Effect } from '../event/effect.ts';
import type { Event } from '../event/event.ts';

const WORDS = { switches: ['noHooks'], steering: ['noHooks', 'hooks'], entries: ['fairlead'] };
const AROUND: Surroundings = {
  cwd: ROOT,
  home: '/home/dev',
  root: ROOT,
  agentSettings: ['**/.helm/settings.json', '~/.helm.json', '/etc/helm/*.json'],
  settingsWords: WORDS,
  ownDirs: ['/home/dev/.local/state/fairlead'],
};

const settingsOf = (event: Event): readonly Effect[] =>
  effectsOf(event, AROUND).filter(({ kind }) => kind === 'settings');
const shell = (command: string) => toolEvent({ command, input: { command } });
const told = (event: Event) => settingsOf(event).map(({ how, target }) => `${how} ${target}`);

it.each<[string, string[]]>([
  ['echo x > .helm/settings.json', ['agent-settings-replaced .helm/settings.json']],
  ['echo x >> .helm/settings.json', ['agent-settings .helm/settings.json']],
  ['sed -i s/a/b/ ~/.helm.json', ['agent-settings /home/dev/.helm.json']],
  ['sudo cp a.json /etc/helm/policy.json', ['agent-settings-replaced /etc/helm/policy.json']],
  ['rm -rf .helm', ['agent-settings-replaced .helm']],
  ['rm -rf ~/.local/state', ['own-files /home/dev/.local/state']],
  ['rm ~/.local/state/fairlead/state.db', ['own-files /home/dev/.local/state/fairlead/state.db']],
  ['touch .fairlead/rules/a.md', ['own-rules .fairlead/rules/a.md']],
  ['rm -rf ~', []],
  ['rm -rf ~/.local/state/other', []],
  ['rm -rf ~/.local/state/fairlead-old', []],
  ['echo x > .helm/settings.json.md', []],
  ['cat .helm/settings.json', []],
  ['rm -rf .helmet', []],
])('%s', (command, expected) => {
  expect(told(shell(command))).toEqual(expected);
});

it('hands on what in the text of the settings is about hooks', () => {
  expect(settingsOf(shell('echo x > .helm/settings.json'))[0]?.words).toBe(WORDS);
  expect(settingsOf(shell('touch .fairlead/config.yaml'))[0]?.words).toBeUndefined();
});

describe('events without a tool', () => {
  it('a session starts under files whose names are known', () => {
    expect(told(plainEvent('session.start'))).toEqual([
      `in-force ${ROOT}/.helm/settings.json`,
      'in-force /home/dev/.helm.json',
    ]);
  });

  it.each<[string, string[]]>([
    [`${ROOT}/sub/.helm/settings.json`, [`changed ${ROOT}/sub/.helm/settings.json`]],
    [`${ROOT}/.helm/skills/x.md`, []],
  ])('%s has changed', (path, expected) => {
    expect(told(plainEvent('config.changed', { place: { path, change: 'project' } }))).toEqual(expected);
  });

  it('nothing else tells anything', () => {
    expect(told(plainEvent('session.end'))).toEqual([]);
    expect(told(plainEvent('config.changed'))).toEqual([]);
  });
});
