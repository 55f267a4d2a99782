import { defineRule, own, TURN_TALLY } from '../../engine/rule.ts';
import type { CountByRule } from '../../engine/rule.ts';
import { counted } from '../../text/counted.ts';

export default defineRule({
  id: 'basics/turn-line',
  pack: 'basics',
  summary: 'At the end of a turn, one line for the person: notes given, searches answered, what was stopped.',
  on: [{ event: 'turn.stop' }],
  needs: { session: true, main: true, flag: 'turn-tally' },
  optIn: true,
  mode: 'advise',
  state: { tally: TURN_TALLY },
  messages: { line: 'This turn: {counts}. More: `fairlead log`' },
  examples: { pass: [{ event: 'turn.stop' }] },
  check(_, { state, pass, warn }) {
    const tally = state.tally.get();
    if (!tally) return pass('nothing was said or stopped');
    // The agent may go on without a new prompt, and end again.
    state.tally.clear();
    const { notes, answers, stopped, asked } = tally;
    const counts = [
      ...(notes > answers ? [`${counted(notes - answers, 'note')} given`] : []),
      ...(answers > 0 ? [`${counted(answers, 'search')} answered`] : []),
      ...told(stopped, 'stopped'),
      ...told(asked, 'asked about'),
    ];
    return warn('line', { counts: own(counts.join(', ')) });
  },
});

function told(counts: CountByRule, what: string): string[] {
  const rules = Object.keys(counts);
  if (rules.length === 0) return [];
  const calls = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return [`${counted(calls, 'call')} ${what} (${rules.join(', ')})`];
}
