import { describe, expect, it } from 'vitest';
import { createProgressLine } from './progress-line.ts';

function line(isTerminal: boolean, columns = 80) {
  const said: string[] = [];
  let now = 0;
  const made = createProgressLine({ columns, err: (text) => void said.push(text) }, isTerminal, () => now);
  return { ...made, said, wait: (ms: number) => void (now += ms) };
}

const at = (done: number, total = 200) => ({ phase: 'reading' as const, done, total });

describe('the line of progress', () => {
  it('is written over, not too often, and taken away', () => {
    const shown = line(true);
    shown.show(at(0));
    shown.show(at(1));
    shown.wait(2_000);
    shown.show(at(50));
    shown.wait(400_000);
    shown.show(at(100));
    shown.wait(100);
    shown.show({ phase: 'resolving', done: 10, total: 200 });
    shown.clear();
    shown.clear();
    expect(shown.said).toEqual([
      `\rreading ${'░'.repeat(24)} 0/200 files\u001b[K`,
      `\rreading ${'█'.repeat(6)}${'░'.repeat(18)} 50/200 files  6 s left\u001b[K`,
      `\rreading ${'█'.repeat(12)}${'░'.repeat(12)} 100/200 files  7 min left\u001b[K`,
      `\rresolving ${'█'.repeat(1)}${'░'.repeat(23)} 10/200 files\u001b[K`,
      '\r\u001b[K',
    ]);
  });

  it('fits the terminal', () => {
    const shown = line(true, 30);
    shown.show(at(100));
    expect(shown.said[0]?.replace('\r', '').replace('\u001b[K', '')).toHaveLength(29);
  });

  it('is not there without a terminal', () => {
    const shown = line(false);
    shown.show(at(100));
    shown.clear();
    expect(shown.said).toEqual([]);
  });
});
