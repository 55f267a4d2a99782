import type { Event } from '../event/event.ts';
import type { RuleContext } from '../engine/rule.ts';
import type { RecordCell } from '../engine/rule.ts';
import type { Match } from './body.ts';
import { runsIn } from './runs.ts';
import type { RunPlace } from './runs.ts';
import type { Progress } from './unless-field.ts';

/** Why a rule about commands has nothing to say of an event; undefined where it may. It keeps in mind what the session did. */
export function whySilent({ runs, unless }: Match, event: Event, context: RuleContext): string | undefined {
  const place: RunPlace = { cwd: event.cwd, home: context.workspace.home };
  const found = (typed: readonly string[]) => runsIn(event.tool?.command ?? '', typed, place);
  const progress = unless && (context.state['progress'] as RecordCell<Progress>);
  if (progress && event.name === 'tool.after') {
    if (event.tool?.kind !== 'shell') progress.set('edited');
    else if (found(unless).length > 0) progress.set('ran');
    return 'kept in mind';
  }
  const own = runs && found(runs);
  if (own?.length === 0) return 'no such command';
  if (!progress) return undefined;
  const done = progress.get();
  if (event.name === 'turn.stop') return done === 'edited' ? undefined : 'nothing was edited since';
  const [first] = found(unless);
  const [last = Infinity] = own?.slice(-1) ?? [];
  return done === 'ran' || (first !== undefined && first < last) ? 'it ran before' : undefined;
}
