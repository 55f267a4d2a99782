import { callName, defineRule, own } from '../../engine/rule.ts';
import type { Effect, Event, RuleContext } from '../../engine/rule.ts';
import { callOf, HELD, HELD_MINUTES, HOLDERS } from './denied.ts';
import type { Held, HeldEffect } from './denied.ts';
import { insteadOf } from './instead.ts';
import { shortenCommand } from '../../text/shorten.ts';
import { placed } from './wording.ts';
import type { EffectKind } from '../../event/effect.ts';

/** Kinds that come to the same loss: what was to be deleted can as well be emptied, or cleaned away by git. */
const FAMILY: Readonly<Partial<Record<EffectKind, string>>> = {
  delete: 'loss',
  truncate: 'loss',
  discard: 'loss',
  write: 'change',
  overwrite: 'change',
};
/** Once is enough to know what is meant, whatever the target is called. */
const BY_KIND: ReadonlySet<EffectKind> = new Set(['run-remote', 'exhaust', 'destroy-disk']);

/**
 * Whether an effect does what was stopped before: the same kind of thing to the same target, or to more than that. Less than
 * that is what the denial asked for, so it is left to the rules.
 */
function isSameEffect(before: HeldEffect, now: Effect): boolean {
  if ((FAMILY[before.kind] ?? before.kind) !== (FAMILY[now.kind] ?? now.kind)) return false;
  if (BY_KIND.has(now.kind)) return true;
  if (now.kind === 'send') return now.of !== 'file';
  if (now.kind === 'rewrite-history') return before.how === now.how;
  if (now.kind === 'settings') return before.how === now.how && before.target === now.target;
  if (now.kind === 'force-push' || now.kind === 'delete-branch')
    return before.branch === now.branch || now.recursive === true;
  if (before.path !== undefined && now.path !== undefined) return covers(now, withoutChildren(before.path));
  return before.target === now.target;
}

function covers({ path = '', recursive }: Effect, target: string): boolean {
  const top = withoutChildren(path);
  return top === target || (recursive === true && target.startsWith(top === '/' ? top : `${top}/`));
}

/** `dir/*` stands for the directory. */
function withoutChildren(path: string): string {
  return path.replace(/\/(\.?\*+)?$/, '') || '/';
}

export default defineRule({
  id: 'guard/circumvention',
  pack: 'guard',
  summary: 'What was denied in a session is not done by another road, such as another program or a script.',
  on: [
    // Whatever a rule may hold of which one can tell what it does: a call without such an effect does nothing again.
    {
      event: 'tool.before',
      effect: [
        'delete',
        'write',
        'read-secret',
        'send',
        'run-remote',
        'force-push',
        'rewrite-history',
        'discard',
        'delete-branch',
        'permissions',
        'kill',
        'exhaust',
        'destroy-disk',
        'destroy-data',
        'destroy-cloud',
        'publish',
        'system',
        'settings',
      ],
    },
    { event: ['tool.after', 'tool.failed', 'permission.denied', 'tool.batch', 'prompt.submit'] },
  ],
  needs: { session: true, flag: HELD.anyHeld.name },
  mode: 'enforce',
  guard: true,
  // Above catastrophe: that it is the second try is what agent and person need to hear.
  priority: 96,
  state: HELD,
  messages: {
    again:
      '`{seen}` does by another road what was {outcome} {when} (`{before}`, by {rule}).\n{instead}If the effect itself is needed, say so and let the person decide; other ways lead nowhere.',
  },
  examples: {
    pass: ['rm -rf src', 'npm test', 'bash scripts/build.sh'],
  },
  check(event, context) {
    if (event.name !== 'tool.before') return keepOutcome(event, context);
    const found = findAgain(event, context);
    if (!found) return context.pass('nothing that was denied before');
    const { held, effect } = found;
    const advice = insteadOf(effect);
    const minutes = Math.round((context.now - held.at) / 60_000);
    const again = {
      seen: placed(effect),
      before: shortenCommand(held.seen, 60),
      rule: own(held.rule),
      outcome: own(held.outcome === 'denied' ? 'denied' : 'refused'),
      when: own(minutes === 0 ? 'a moment ago' : `${minutes} min ago`),
      instead: own(advice === '' ? '' : `${advice} `),
    };
    return held.outcome === 'reconsidered' ? context.ask('again', again) : context.deny('again', again);
  },
});

type Own = Pick<RuleContext<typeof HELD>, 'state' | 'now' | 'effects' | 'pass'>;

/** The same call again is for the rule that stopped it, which says the same as before. */
function findAgain(event: Event, context: Own): { readonly held: Held; readonly effect: Effect } | undefined {
  const call = callOf(event);
  const all: Held[] = [];
  for (const rule of HOLDERS) all.push(...(context.state.held.get(rule) ?? []));
  if (all.some((held) => held.call === call)) return undefined;
  const stopped = all.filter(({ at, outcome }) => outcome !== 'asked' && context.now - at < HELD_MINUTES * 60_000);
  if (stopped.length === 0) return undefined;
  const pick = (effects: readonly Effect[]) => {
    for (const effect of effects) {
      const held = stopped.find(({ effects: before }) => before.some((each) => isSameEffect(each, effect)));
      if (held) return { held, effect };
    }
    return undefined;
  };
  return pick(context.effects);
}

/**
 * A call that ran was allowed by somebody; one that was asked about and did not run was refused. After the person has spoken
 * again it may be wanted, so then it is asked about.
 */
function keepOutcome(event: Event, { state, pass }: Own) {
  const call = event.tool && callName(event.tool);
  const ran = event.name === 'tool.after' || event.name === 'tool.failed' ? call : undefined;
  const refused = new Set(event.name === 'permission.denied' ? [call] : event.batch?.map(callName));
  const speaks = event.name === 'prompt.submit' && event.prompt?.origin === 'human';
  for (const rule of HOLDERS) {
    const before = state.held.get(rule);
    if (!before) continue;
    const after = before
      .filter(({ id, outcome }) => !(ran !== undefined && id === ran) && !(speaks && outcome === 'asked'))
      .map((held): Held => {
        if (held.outcome === 'asked' && refused.has(held.id)) return { ...held, outcome: 'refused' };
        return speaks && held.outcome === 'refused' ? { ...held, outcome: 'reconsidered' } : held;
      });
    if (after.length !== before.length || after.some((held, at) => held !== before[at])) state.held.set(after, rule);
  }
  return pass('keeps what became of it');
}
