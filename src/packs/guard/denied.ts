import { callName, flag, record, redactCommand, stamp } from '../../engine/rule.ts';
import { MENDABLE } from '../../event/keeping.ts';
import type { Effect, EffectKind, Event, Look, RuleContext, Verdict } from '../../engine/rule.ts';
import { joinLooks, lookFirst, mayLose } from './look.ts';
import { seenOf } from './wording.ts';
import type { Seen } from './wording.ts';

/** A call that a rule of this pack has stopped, or asked about. */
export interface Held {
  readonly at: number;
  readonly rule: string;
  /** `asked` until it is known that the call ran, or that it did not; `reconsidered` once the person has spoken since. */
  readonly outcome: 'denied' | 'asked' | 'refused' | 'reconsidered';
  /** The agent's name for the call, as long as there is one. */
  readonly id: string;
  /** The same for two calls that are the same word for word. */
  readonly call: string;
  readonly seen: string;
  readonly effects: readonly HeldEffect[];
}

export type HeldEffect = Pick<Effect, 'target'> & {
  readonly kind: EffectKind;
  readonly how?: string;
  readonly path?: string;
  readonly branch?: string;
};

/** The rules that hold calls. */
export const HOLDERS = [
  'guard/catastrophe',
  'guard/self-protection',
  'guard/secrets',
  'guard/files',
  'guard/git',
  'guard/database',
  'guard/send',
  'guard/remote-code',
  'guard/protected-paths',
  'guard/system',
  'guard/unknown',
  'guard/processes',
  'guard/permissions',
  'guard/cloud',
  'guard/publish',
] as const;
export type Holder = (typeof HOLDERS)[number];

export const HELD_MINUTES = 30;
const MOST_HELD = 4;
const MOST_EFFECTS = 8;

/** Under the id of the rule that wrote it, so that two rules that hold one call do not write over each other. */
export const HELD = {
  held: record<readonly Held[]>('guard.held', { ttl: '30m' }),
  /** For as long as the session: what it wakes looks at the times itself. */
  anyHeld: flag('guard.any-held'),
} as const;

/** What a rule holds of a call. */
export interface Holding {
  readonly first: Effect;
  readonly seen: Seen;
  /** All that is held. */
  readonly effects: readonly Effect[];
  /** What a look has found of the first; undefined when there was no time for one. */
  readonly look: Look | undefined;
}

type HeldContext = Pick<RuleContext<typeof HELD>, 'state' | 'mode' | 'now'>;

/** Keeps the effects of a call that a rule holds, and says what its message can name; undefined where it holds none. */
export function holdEffect(
  rule: Holder,
  event: Event,
  context: HeldContext & Pick<RuleContext, 'effects'>,
  isHeld: (effect: Effect) => boolean,
): { readonly first: Effect; readonly seen: Seen } | undefined {
  const held = context.effects.filter(isHeld);
  const [first] = held;
  if (!first) return undefined;
  remember(rule, event, context, held);
  return { first, seen: seenOf(first, held) };
}

/**
 * As `holdEffect`, after a look at what would be lost: what takes nothing away is let go. Whatever could not be looked at, or
 * lies elsewhere while careful mode is on, is held.
 */
export async function holdLoss(
  rule: Holder,
  event: Event,
  context: HeldContext & Pick<RuleContext, 'facts' | 'careful' | 'workspace'>,
  effects: readonly Effect[],
  /** Why a look would not tell. */
  blind?: string,
): Promise<Holding | undefined> {
  const looks = blind === undefined ? await lookFirst(effects, context) : effects.map((): Look => ({ unseen: blind }));
  const held = effects.filter((_, at) => mayLose(looks?.[at], context.careful));
  const [first] = held;
  if (!first) return undefined;
  remember(rule, event, context, held);
  // What the message says is about the first command.
  const same = effects.flatMap((effect, at) =>
    held.includes(effect) && effect.seen === first.seen ? [looks?.[at]] : [],
  );
  return {
    first,
    seen: seenOf(first, held),
    effects: held,
    look: joinLooks(same, (path) => context.workspace.relative(path)),
  };
}

/** What a copy can mend is asked about, and where that is enough copied; unless the rule is to deny. */
export function mended(verdict: Verdict, effects: readonly Effect[], { mode }: Pick<RuleContext, 'mode'>): Verdict {
  if (verdict.kind !== 'deny' || (mode !== 'save' && mode !== 'ask')) return verdict;
  return { ...verdict, kind: 'ask', ...(effects.every(isMendable) && { keeps: effects }) };
}

/** No copy of what is here brings back what another machine had. */
function isMendable({ kind, how }: Effect): boolean {
  return MENDABLE.has(kind) && how !== 'remote' && how !== 'remote-prune';
}

/** Keeps what a rule is about to stop. `hardest` is the rule's verdict, before its mode. */
export function remember(
  rule: Holder,
  event: Event,
  context: HeldContext,
  effects: readonly Effect[],
  hardest: 'deny' | 'ask' = 'deny',
): void {
  if (context.mode !== 'enforce' && context.mode !== 'ask' && context.mode !== 'save') return;
  const first = effects[0];
  if (!first || !event.hasSession) return;
  const held: Held = {
    at: context.now,
    rule,
    outcome: context.mode === 'enforce' && hardest === 'deny' ? 'denied' : 'asked',
    id: event.tool ? callName(event.tool) : '',
    call: callOf(event),
    seen: cleanSeen(first.seen, event).slice(0, 80),
    effects: effects.slice(0, MOST_EFFECTS).map(({ kind, how, target, path, branch }) => ({
      kind,
      target: cleaned(target, event).slice(0, 200),
      ...(how === undefined ? {} : { how }),
      ...(path === undefined ? {} : { path }),
      ...(branch === undefined ? {} : { branch }),
    })),
  };
  const before = context.state.held.get(rule) ?? [];
  const isSame = (each: Held) => each.call === held.call && each.outcome === held.outcome;
  if (before.some((each) => isSame(each) && each.id === held.id)) return;
  // An agent that tries one call again and again does not make others forgotten. What was asked may have its answer yet to come.
  const others = held.outcome === 'denied' ? before.filter((each) => !isSame(each)) : before;
  context.state.held.set([held, ...others].slice(0, MOST_HELD), rule);
  if (!context.state.anyHeld.isSet()) context.state.anyHeld.set();
}

/** More than a part that is shown has around it. */
const MOST_CLEANED = 4_096;

/** What tells that a part of a command is secret may stand in another part, as behind a pipe. */
function cleanSeen(seen: string, event: Event): string {
  const part = cleaned(seen, event);
  const whole = event.tool?.command?.slice(0, MOST_CLEANED) ?? '';
  const clean = cleaned(whole, event);
  return clean === whole || clean.includes(part) ? part : `${part.split(' ', 1)[0]} [redacted]`;
}

/** Rules that hold one call keep the same texts of it. */
const cleanedIn = new WeakMap<Event, Map<string, string>>();

function cleaned(text: string, event: Event): string {
  const known = cleanedIn.get(event) ?? new Map<string, string>();
  const clean = known.get(text) ?? redactCommand(text);
  cleanedIn.set(event, known.set(text, clean));
  return clean;
}

const MOST_STAMPED = 65_536;

/** The same for two calls that are the same word for word, as far as a look at their beginning and length tells. */
export function callOf({ tool }: Event): string {
  const text = tool?.command ?? JSON.stringify(tool?.input ?? {});
  return stamp([tool?.name ?? '', text.slice(0, MOST_STAMPED), String(text.length)]);
}
