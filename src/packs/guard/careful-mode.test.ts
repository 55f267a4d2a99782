import { expect, it } from 'vitest';
import { judge, shell, write } from '../guard.fixture.ts';
import type { Event } from '../../event/event.ts';

const careful = { careful: true };
const SAID = 'git branch -D x\nrm -rf /\nfind . -delete\ngit push origin +main\n';

it.each<[string | Event, RegExp]>([
  ['git branch -D x', /^deny guard\/git$/],
  ['rm -rf node_modules && rm -rf /', /^deny guard\/catastrophe/],
  ['rm  -rf /', /^deny/],
  ['rm --recursive --force /', /^deny/],
  ['find . -delete', /^deny/],
  ['git push origin +main', /^deny/],
  ['dropdb app', /^deny guard\/database$/],
  ['kill -9 1234', /^deny guard\/processes$/],
  ['chmod 777 config.json', /^deny guard\/permissions$/],
  ['rm -rf node_modules', /^pass$/],
  ['ls -la', /^pass$/],
  ['npm run confirm -r', /^pass$/],
  ['echo "drop table users"', /^pass$/],
  ['git commit -m "no more rm -rf"', /^pass$/],
  ['rm -rf ./dist', /^pass$/],
  ['git push --force-with-lease', /^pass$/],
  [`cat > notes.md <<'E'\n${SAID}E`, /^pass$/],
  [write('notes.md', SAID), /^pass$/],
  [write('/home/dev/.local/state/fairlead/careful.json', '{}'), /^deny guard\/self-protection$/],
  ['echo {} > ~/.local/state/fairlead/careful.json', /^deny guard\/self-protection$/],
])('%s', async (event, verdict) => {
  expect(await judge(event, careful)).toMatch(verdict);
});

it.each<[string, string]>([
  ['kill -9 1234', 'note guard/processes'],
  ['chmod 777 /etc/passwd', 'note guard/permissions'],
  ['git push --force', 'ask guard/git'],
])('without it, %s: %s', async (command, verdict) => {
  expect(await judge(command)).toBe(verdict);
});

it.each(['fairlead careful off', `env -u AGENT sh -c 'fairlead careful off'`])('%s is asked about', async (command) => {
  expect(await judge(command, careful)).toBe('ask guard/careful');
  expect(await judge({ ...shell(command), asksPerson: false }, careful)).toBe('deny guard/careful');
});
