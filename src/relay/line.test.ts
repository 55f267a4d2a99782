import { expect, it } from 'vitest';
import { createLine } from './delivery.ts';
import type { PostProblem } from '../platform/post.ts';

const REFUSED = { message: 'refused', isFinal: false };

/** A line to somewhere that answers as it is told, where pauses take no time. */
function lineTo(answer: (parcel: number, attempt: number) => PostProblem, isOff: () => boolean = () => false) {
  const seen: string[] = [];
  let attempts = 0;
  const line = createLine<number>({
    async post(parcel) {
      await Promise.resolve();
      seen.push(`post ${parcel}`);
      return answer(parcel, (attempts += 1));
    },
    async pause(ms) {
      seen.push(`pause ${ms}`);
      await Promise.resolve();
    },
    isOff,
    onSent: () => seen.push('sent'),
    onFailed: (problem) => seen.push(`failed ${problem}`),
    onDropped: () => seen.push('dropped'),
  });
  return { line, seen };
}

it.each<[string, (attempt: number) => PostProblem, string[]]>([
  ['takes it', () => undefined, ['post 1', 'sent']],
  ['takes it the second time', (at) => (at === 1 ? REFUSED : undefined), ['post 1', 'pause 1000', 'post 1', 'sent']],
  ['does not take it', () => REFUSED, ['post 1', 'pause 1000', 'post 1', 'pause 5000', 'post 1', 'failed refused']],
  ['refuses it for good', () => ({ ...REFUSED, isFinal: true }), ['post 1', 'failed refused']],
])('somewhere that %s', async (_what, answer, expected) => {
  const { line, seen } = lineTo((_parcel, attempt) => answer(attempt));
  line.add(1);
  await line.idle();
  expect(seen).toEqual(expected);
});

it('keeps the order, and goes on after it was idle', async () => {
  const { line, seen } = lineTo(() => undefined);
  line.add(1);
  line.add(2);
  await line.idle();
  line.add(3);
  await line.idle();
  expect(seen.filter((each) => each.startsWith('post'))).toEqual(['post 1', 'post 2', 'post 3']);
});

it('holds a hundred beside the one under way; the oldest give way', async () => {
  const { line, seen } = lineTo(() => undefined);
  for (let parcel = 0; parcel < 104; parcel += 1) line.add(parcel);
  await line.idle();
  const posted = seen.filter((each) => each.startsWith('post'));
  expect(seen.filter((each) => each === 'dropped')).toHaveLength(3);
  expect(posted).toHaveLength(101);
  expect(posted.slice(0, 3)).toEqual(['post 0', 'post 4', 'post 5']);
  expect(posted.at(-1)).toBe('post 103');
});

it('gives up what waits while nothing may be sent, and is of use again afterwards', async () => {
  let isOff = true;
  const { line, seen } = lineTo(
    () => undefined,
    () => isOff,
  );
  line.add(1);
  await line.idle();
  isOff = false;
  line.add(2);
  await line.idle();
  expect(seen).toEqual(['dropped', 'post 2', 'sent']);
});

it('does not try again once nothing may be sent', async () => {
  let isOff = false;
  const { line, seen } = lineTo(
    () => {
      isOff = true;
      return REFUSED;
    },
    () => isOff,
  );
  line.add(1);
  await line.idle();
  expect(seen).toEqual(['post 1', 'pause 1000', 'failed refused']);
});

it('says how many it leaves behind', async () => {
  const { line, seen } = lineTo(() => REFUSED);
  for (let parcel = 0; parcel < 5; parcel += 1) line.add(parcel);
  expect(line.close()).toBe(5);
  await line.idle();
  expect(seen).toEqual(['post 0']);
});
