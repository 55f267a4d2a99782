import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cases } from '../../../test/cases.ts';
import { quote } from '../../shell/quote.ts';
import { OPTIONS, settingsOf } from './settings.ts';
import { runsOfTools } from './tool-runs.ts';

const PLACE = { home: '/home/ann', root: '/w' };

/** Ways to have something else run a line. */
const LAYERS: readonly ((line: string) => string)[] = [
  (line) => `ssh -o BatchMode=yes ann@host ${quote(line)}`,
  (line) => `docker run --rm -i --network none img sh -c ${quote(line)}`,
  (line) => `podman exec -w /w box bash -lc ${quote(line)}`,
  (line) => `docker compose run --rm tools sh -c ${quote(line)}`,
  (line) => `kubectl -n dev exec pod-0 -- sh -c ${quote(line)}`,
  (line) => `sudo -u ann bash -c ${quote(line)}`,
  (line) => `ssh host bash -s <<'END'\n${line}\nEND`,
];
const line = (last: string) =>
  fc
    .array(fc.constantFrom(...LAYERS), { maxLength: 3 })
    .map((layers) => layers.reduce((text, wrap) => wrap(text), last));
const toolsIn = (command: string) => runsOfTools(command, '/w', PLACE, settingsOf(OPTIONS)).map(({ tool }) => tool);

it('a tool that draws is found behind whatever runs it', () => {
  const drawing = fc.constantFrom('graph-easy in', 'cat in | graph-easy', 'perl ~/bin/graph-easy in').chain(line);
  fc.assert(
    fc.property(drawing, (command) => {
      expect(toolsIn(command)).toContain('graph-easy');
    }),
    cases(2_000),
  );
});

it('a tool that is only named is not', () => {
  const naming = fc
    .constantFrom('which graph-easy', 'grep -r graph-easy .', 'graph-easy --help', 'apt install graph-easy')
    .chain(line);
  fc.assert(
    fc.property(naming, (command) => {
      expect(toolsIn(command)).toEqual([]);
    }),
    cases(2_000),
  );
});
