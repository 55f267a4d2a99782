import { describe, expect, it } from 'vitest';
import { effectsOf } from '../effects.ts';
import type { Surroundings } from '../scene.ts';
import { plainEvent, ROOT, toolEvent } from '../../engine/engine.fixture.ts';
import type { Effect } from '../../event/effect.ts';
import type { Event } from '../../event/event.ts';

const ENTRY = { calls: ['run'], own: ['fairlead'], narrowing: ['only'], holding: [], seconds: ['wait'] };
const WORDS = { switches: ['noHooks'], steering: ['noHooks', 'hooks'], entries: ['fairlead'], entry: ENTRY };
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
  ['mv .helm .helm2', ['agent-settings-replaced .helm']],
  ['mv .helm/settings.json x', ['agent-settings-replaced .helm/settings.json']],
  ['git mv .helm x', ['agent-settings-replaced .helm']],
  [`python3 -c "import os; os.rename('.helm', 'x')"`, ['agent-settings-replaced .helm']],
  [`node -e "require('fs').renameSync('.helm', 'x')"`, ['agent-settings-replaced .helm']],
  ['rename s/s/x/ .helm/settings.json', ['agent-settings-replaced .helm/settings.json']],
  ['gzip .helm/settings.json', ['agent-settings-replaced .helm/settings.json']],
  ['trash .helm', ['agent-settings-replaced .helm']],
  ['ln -sfn /tmp/e .helm', ['agent-settings-possible .helm']],
  ['cp -rf /tmp/e/. .helm', ['agent-settings-possible .helm']],
  ['cp -r /tmp/e/.helm .', ['agent-settings-possible .helm']],
  ['rsync -a /tmp/e/ .helm/', ['agent-settings-possible .helm']],
  ['tar xf x.tar -C .helm', ['agent-settings-possible .helm']],
  ['unzip -o x.zip -d .helm', ['agent-settings-possible .helm']],
  ['git checkout -- .helm', ['agent-settings .helm']],
  ['rm .helm/*.json', ['agent-settings-replaced .helm/*.json']],
  ['rm .Helm/Settings.json', ['agent-settings-replaced .Helm/Settings.json']],
  ['sed -i s/a/b/ .h*/s*.json', ['agent-settings .h*/s*.json']],
  ['sudo rm /etc/helm/a*.json', ['agent-settings-replaced /etc/helm/a*.json']],
  ['find . -name "settings*.json" -delete', ['agent-settings-possible settings*.json']],
  ['find . -name settings.json -exec mv {} /tmp \\;', ['agent-settings-possible settings.json']],
  ['find . -name settings.json | xargs rm', ['agent-settings-possible settings.json']],
  ['find . -name "*.json" -delete', ['agent-settings-possible *.json']],
  ['mv ~/.local/state/fairlead /tmp/x', ['own-files /home/dev/.local/state/fairlead']],
  ['mv ~/.local /tmp/x', ['own-files /home/dev/.local']],
  ['rm ~/.local/state/fair*/state.db', ['own-files /home/dev/.local/state/fair*/state.db']],
  ['mv .fairlead x', ['own-rules .fairlead']],
  ['rm *.json', []],
  ['rm ~/*.json', []],
  ['find src -name "*.json" -delete', []],
  ['find . -maxdepth 1 -name "*.json" -delete', []],
  ['mv src lib', []],
  ['cp -r x ~/.local', []],
  ['tar xf x.tar -C ~', ['own-files-possible /home/dev']],
  ['tar xf x.tar -C ~ go', []],
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

it('names the files in a directory that goes, so that their text can be looked at', () => {
  expect(settingsOf(shell('mv .helm x')).map(({ path }) => path)).toEqual([`${ROOT}/.helm/settings.json`]);
  expect(settingsOf(shell('rm .helm/*.json')).map(({ path }) => path)).toEqual([`${ROOT}/.helm/settings.json`]);
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
    [
      `${ROOT}/sub/.helm/settings.json`,
      [
        `changed ${ROOT}/sub/.helm/settings.json`,
        `in-force ${ROOT}/.helm/settings.json`,
        'in-force /home/dev/.helm.json',
      ],
    ],
    [`${ROOT}/.helm/skills/x.md`, []],
  ])('%s has changed', (path, expected) => {
    expect(told(plainEvent('config.changed', { place: { path, change: 'project' } }))).toEqual(expected);
  });

  it('nothing else tells anything', () => {
    expect(told(plainEvent('session.end'))).toEqual([]);
    expect(told(plainEvent('config.changed'))).toEqual([]);
  });
});
