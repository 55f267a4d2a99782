import type { Installer } from '../installer.ts';
import { tomlInstaller } from '../toml-hooks.ts';
import { CHECKS } from '../validate-hooks.ts';
import { AGENT, EVENTS, OTHER_EVENTS } from './names.ts';
import { PROMISES } from './promises.ts';
import { settingsPath } from './settings.ts';

const { text, word } = CHECKS;

export const kimiInstaller: Installer = {
  ...tomlInstaller({
    agent: AGENT,
    events: EVENTS,
    file: '~/.kimi-code/config.toml',
    timeouts: {},
    list: 'hooks',
    checks: {
      event: word(...EVENTS.map(({ name }) => name), ...OTHER_EVENTS),
      command: (value) => (typeof value === 'string' && value !== '' ? undefined : 'must be a text'),
      matcher: text,
      timeout: (value) =>
        typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 600
          ? undefined
          : 'must be a whole number of seconds from 1 to 600',
    },
  }),
  promises: PROMISES,
  settingsPath,
  reach: () => 'all your sessions, in every project',
  policyPaths: () => [],
};
