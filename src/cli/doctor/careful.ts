import { EVERYWHERE } from '../../engine/careful/book.ts';
import { TEAM_WIDE } from '../../engine/careful/team-careful.ts';
import { readExceptions, strayExceptions } from '../../engine/limits/exceptions.ts';
import { draftOf } from '../change-state.ts';
import type { CliWorld } from '../command.ts';
import { carefulNow, describeCareful } from '../commands/careful.ts';
import { describeQuiet } from '../quiet-rules.ts';
import { formatTime } from '../table.ts';
import type { Finding, Section } from './report.ts';
import { CAREFUL_RULE } from '../../engine/careful/careful.ts';

const DAY_MS = 86_400_000;

export async function checkCareful(root: string, world: CliWorld): Promise<Section> {
  const draft = draftOf(world);
  const { careful, where, changed } = await carefulNow(root, world);
  const exceptions = readExceptions(draft, root);
  const findings: Finding[] = [];
  if (careful) {
    const wide = where === TEAM_WIDE ? ' --team' : where === EVERYWHERE ? ' --all' : '';
    findings.push({
      level: 'note',
      what: describeCareful(careful, where, draft.now),
      why: 'Rules with a careful mode ask or deny where they would advise.',
      next: `fairlead careful off${wide}, in a terminal that no agent started, ends it`,
    });
  }
  if (changed !== undefined && draft.now - changed < DAY_MS)
    findings.push({
      level: 'attention',
      what: `The record of careful mode was changed by something other than Fairlead, seen ${formatTime(changed)}.`,
      why: 'It is kept twice, and the two differed. Careful mode stayed on.',
      next: `fairlead log --rule ${CAREFUL_RULE} shows where; fairlead careful on or off writes it anew`,
    });
  for (const exception of exceptions)
    findings.push({
      level: 'note',
      what: `Exception ${describeQuiet(exception)}.`,
      why: 'What the rule would stop passes as long as it is in force.',
      next: `fairlead rules enable ${exception.rules[0]}`,
    });
  for (const exception of strayExceptions(root, (id) => draft.read(id)))
    findings.push({
      level: 'attention',
      what: `Exception ${describeQuiet(exception)} was written by something other than Fairlead.`,
      why: 'Exceptions are kept twice, and only one of the two has it, so it has no effect.',
      next: `fairlead rules enable ${exception.rules[0]} removes it; fairlead rules mode RULE off --for TIME, in a terminal that no agent started, adds one`,
    });
  return {
    title: 'Careful mode and exceptions',
    facts: [
      ['careful mode', careful ? 'on' : 'off'],
      ['exceptions', String(exceptions.length)],
    ],
    findings,
  };
}
