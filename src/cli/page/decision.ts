import type { Effect } from '../../event/effect.ts';
import type { Event } from '../../event/event.ts';
import type { Decision } from '../../event/verdict.ts';
import { FATE_WORDS } from '../../ledger/fates.ts';
import type { ExplainedRule } from '../../engine/trial/explain.ts';
import { aboutOf, changeOf, describeFate, factsOf, FATE_LABELS, warningsOf } from '../show-explanation.ts';
import type { Explained } from '../show-explanation.ts';
import { commandsIn, detailsOf, WHY } from '../show-reading.ts';
import { describeHeed } from '../told-heeds.ts';
import { shownAs, withoutTag } from './rows.ts';
import type { DecisionDetail, DecisionRule } from './shapes.ts';

/** What `fairlead explain --json` tells, field by field and in words. */
export function decisionOf(explained: Explained): DecisionDetail {
  const { row, detail, explanation, reading, effects = [], receipt, heeds = [] } = explained;
  const event = (detail?.event ?? {}) as Event;
  const { by = [], reason = '', notes = [], warns = [], kept } = (detail?.decision ?? {}) as Partial<Decision>;
  const { unclear = [], exhausts = [] } = reading ?? {};
  const fate = receipt === undefined || receipt === 'open' ? undefined : FATE_WORDS[receipt];
  return {
    ...{ id: row.id, at: row.at, agent: row.agent, event: row.event, action: row.action, by, session: row.session },
    ...{ root: shownAs(row.root), tool: shownAs(row.tool), reason: shownAs(withoutTag(reason)) },
    ...(fate !== undefined && { fate }),
    ...(kept?.number !== undefined && { undo: kept.number }),
    about: detail ? aboutOf(event).map(([label, text]) => labelled(label, text)) : [],
    warnings: warningsOf(explained).map(shownAs),
    said: [
      ...notes.map(({ rule, text }) => said('agent', rule, text)),
      ...warns.map(({ rule, text }) => said('person', rule, text)),
      ...(explanation?.unsaid ?? []).map(({ rule, text, fate: became }) =>
        said(FATE_LABELS[became.kind], rule, text, describeFate(became)),
      ),
    ],
    heeds: heeds.map((heed) => shownAs(`${heed.rule}: ${describeHeed(heed)}`)),
    reading: reading
      ? commandsIn(reading, event.cwd).map(({ number, text, about }) => ({
          ...{ number, text: shownAs(text), about: shownAs(about) },
        }))
      : [],
    unclear: [
      ...exhausts.map((text) => labelled('never ends', text)),
      ...unclear.map(({ text, why }) => labelled(WHY[why], text)),
    ],
    effects: effects.map(effectOf),
    rules: (explanation?.rules ?? []).map(ruleOf),
    notListening: explanation?.notListening ?? 0,
    micros: Math.round(row.micros),
    stages: Object.entries(detail?.times ?? {}).map(([stage, micros]) => ({ stage, micros: Math.round(micros) })),
    ...{ chars: row.chars, replyBytes: row.replyBytes },
  };
}

const labelled = (label: string, text: string) => ({ label, text: shownAs(text) });
const said = (to: string, rule: string, text: string, why = '') => ({
  ...{ to, rule, why, text: shownAs(withoutTag(text)) },
});

function effectOf(effect: Effect): DecisionDetail['effects'][number] {
  return {
    what: effect.how === undefined ? effect.kind : `${effect.kind}, ${effect.how}`,
    target: shownAs(effect.target),
    scope: effect.scope ?? '',
    details: shownAs(detailsOf(effect).join('; ')),
  };
}

function ruleOf(entry: ExplainedRule): DecisionRule {
  const { rule, mode, tier, reason, failed, micros, verdicts } = entry;
  return {
    ...{ rule, mode, tier, reason: shownAs(reason), failed: failed === true },
    ...(micros !== undefined && { micros: Math.round(micros) }),
    verdicts: verdicts.map((verdict) => ({
      ...{ kind: verdict.kind, variant: verdict.variant ?? '', change: changeOf(verdict, entry) },
      text: shownAs(verdict.text ?? ''),
      facts: factsOf(verdict).map(([label, text]) => labelled(label, text)),
    })),
  };
}
