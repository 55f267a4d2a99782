import { expect, it } from 'vitest';
import { fitText } from './fit-text.ts';

const sheet = {
  head: ['load  function  src/store.ts:3', '  export function load(path: string): Store'],
  sections: [{ name: 'callers', title: '2 callers', lines: ['  main  src/main.ts:9', '  run  src/run.ts:4'] }],
  tail: ['picture /home/dev/.local/state/fairlead/artifacts/impact_load.svg', 'stable'],
};
const whole = [...sheet.head, '2 callers', ...(sheet.sections[0]?.lines ?? []), ...sheet.tail].join('\n');

it('a text that fits is whole', () => {
  expect(fitText(sheet, whole.length)).toBe(whole);
});

it('whatever the room, lines are whole, what is missing is said and the last line is there', () => {
  for (let room = 80; room < whole.length; room += 1) {
    const lines = fitText(sheet, room).split('\n');
    expect(lines.join('\n').length).toBeLessThanOrEqual(room);
    expect(lines.at(-1)).toBe('stable');
    expect(lines.filter((line) => !whole.split('\n').includes(line))).toEqual([
      expect.stringMatching(/^left out for length: |^ {2}… \d more$/),
    ]);
  }
});

it('a first line that is too long is shortened', () => {
  expect(fitText({ head: ['x'.repeat(300)], sections: [], tail: ['stable'] }, 50)).toBe(
    `${'x'.repeat(12)}…\nleft out for length: the rest\nstable`,
  );
});

it('no room holds nothing more', () => {
  for (const room of [1, 5, 20, 40]) expect(fitText(sheet, room).length).toBeLessThanOrEqual(room);
});
