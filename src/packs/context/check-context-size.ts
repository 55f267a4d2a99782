import { asPath, counter, defineRule, flag, own, record } from '../../engine/rule.ts';
import type { OwnWords, RuleContext, Verdict } from '../../engine/rule.ts';
import { CEREMONIES } from './ceremony-use.ts';
import { WRAPPED_UP } from './command-cells.ts';
import { CONTEXT_DIR } from './files.ts';
import { nudge } from './nudge.ts';
import type { Told } from './nudge.ts';
import { isMap, readGroup, oneOf } from './options.ts';
import { OVERSIZE } from './oversize.ts';
import type { Oversize } from './oversize.ts';
import { contextKey, contextRoot } from './place.ts';
import { sessionFill, WINDOW_DEFAULTS, WINDOW_RAISED } from './session-fill.ts';
import type { SessionFill } from './session-fill.ts';
import { showTokens } from './window.ts';
import type { Fill } from './window.ts';
import { ifWhole } from './whole.ts';
import { EXPECT_SAVED, isWrappedUp, noteWrapUp, WRAP_UP_DEFAULTS } from './wrap-up.ts';

const SIZE_DEFAULTS = { trigger: 'adaptive', window_pct: 80, exclusive_bands: false };

/** What was said about one filling of a window; another floor or another window is another filling. */
interface PctMarks {
  /** Where the transcript stood when the context was last compacted. */
  readonly floor: number;
  readonly window: number;
  readonly checkpoint: boolean;
  /** Percent at which the window was last spoken of; 0 when it was not. */
  readonly at: number;
}

interface SizeSaid {
  readonly variant?: 'checkpoint' | 'window';
  /** Set where marks have changed. */
  readonly marks?: PctMarks;
}

/** Of the trigger that goes by percent alone. */
const CHECKPOINT_PCT = 60;
const WINDOW_PCT = 90;
const WINDOW_STEP = 2;

/** What there is to say at the `count`th prompt of a session. */
function decideSize(
  given: unknown,
  count: number,
  { pct, window }: Pick<Fill, 'pct' | 'window'>,
  floor: number,
  before: PctMarks | undefined,
): SizeSaid {
  const { trigger, window_pct: limit, exclusive_bands: isExclusive } = readGroup(given, SIZE_DEFAULTS);
  const how = oneOf(trigger, ['adaptive', 'percent', 'both']);
  const none: PctMarks = { floor, window, checkpoint: false, at: 0 };
  const kept = ifWhole(before, none);
  const marks = kept?.floor === floor && kept.window === window ? kept : none;
  if (how === 'percent') return decideByPercent(pct, marks);
  const isFull = limit > 0 && pct >= limit;
  const isCrossing = how === 'both' && isFull && marks.at === 0;
  if (!isCrossing && !isDue(count, isExclusive)) return {};
  const variant = isFull ? 'window' : 'checkpoint';
  return how === 'both' && isFull ? { variant, marks: { ...marks, at: pct } } : { variant };
}

function decideByPercent(pct: number, marks: PctMarks): SizeSaid {
  if (pct >= WINDOW_PCT && (marks.at === 0 || pct >= marks.at + WINDOW_STEP))
    return { variant: 'window', marks: { ...marks, checkpoint: true, at: pct } };
  if (pct >= CHECKPOINT_PCT && !marks.checkpoint)
    return { variant: 'checkpoint', marks: { ...marks, checkpoint: true } };
  return {};
}

/** The longer the session, the more often: every fifth prompt after the fifteenth, every third as well after the thirtieth. */
function isDue(count: number, isExclusive: boolean): boolean {
  if (count > 30 && count % 3 === 0) return true;
  return count > 15 && count % 5 === 0 && !(isExclusive && count > 30);
}

const PAUSE_DEFAULTS = { short_turns: 5 };
const PRIORITIES = { paused: 70, 'paused-long': 70, checkpoint: 70, window: 80, billing: 90 } as const;

const STATE = {
  prompts: counter('context.prompts'),
  billed: flag('context.billing_warned'),
  marks: record<PctMarks>('context.pct_marks'),
  floor: record<number>('context.usage_floor'),
  raised: WINDOW_RAISED,
  wrapped: WRAPPED_UP,
  oversize: OVERSIZE,
};

interface Context extends Pick<RuleContext<typeof STATE>, 'state' | 'options' | 'later' | 'workspace'> {
  note(variant: string, values?: Told['values']): Verdict;
}

export default defineRule({
  id: 'context/check-context-size',
  pack: 'context',
  summary: 'Says how full the context window is, the more often the longer the session, and when to save work.',
  on: [{ event: 'prompt.submit' }],
  at: 'cwd',
  needs: { entry: CONTEXT_DIR, human: true, main: true },
  nudge: 'always',
  whilePaused: true,
  priority: 70,
  state: STATE,
  options: {
    size: SIZE_DEFAULTS,
    window: WINDOW_DEFAULTS,
    wrap_up: WRAP_UP_DEFAULTS,
    ceremonies: { end: CEREMONIES.end },
    pause: PAUSE_DEFAULTS,
    billing_token_warn: 0,
  },
  messages: {
    checkpoint:
      'Checkpoint at prompt {promptCount}.\nWhat was decided and learnt may still be in this conversation alone.{usage}{oversize}\nNext: fairlead context wrap-up',
    usage: 'The conversation holds {tokenCount} tokens, {percentage} % of a window of {window}.',
    oversize:
      'The context files come to {tokenCount} tokens; up to {threshold} load well. The largest is {largest}: shorten it or move parts elsewhere.',
    window:
      'The context window is {percentage} % full: {tokenCount} of {window} tokens.\nOlder turns will be dropped or compacted; what only they hold is then lost.\nNext: fairlead context wrap-up',
    billing:
      'This session holds {tokenCount} tokens; a notice was set at {threshold}.\nEvery further turn sends them again; a new session starts small.\nNext: fairlead context wrap-up',
    paused: 'Fairlead is paused in this session; its guards are not.',
    'paused-long':
      'Fairlead is paused in this session, prompts so far: {turns}; its guards are not.\nNext: fairlead resume',
  },
  expect: EXPECT_SAVED,
  examples: { pass: [{ prompt: 'Go on.' }] },
  check(event, context) {
    const root = contextRoot(context);
    if (root === undefined) return context.pass('the context is not initialised');
    noteWrapUp(context, root, event);
    if (context.paused) return sayPaused(context, root, context.paused.turns);
    const { state, options, later } = context;
    const prompt = state.prompts.next();
    const fill = sessionFill(context);
    const billed = sayBilling(context, root, fill.tokens);
    if (isWrappedUp(context, root, event.session)) {
      later.stats({ prompt, ...fill, event: 'suppressed' });
      return [...billed, context.pass('work was saved a short while ago')];
    }
    const { variant, marks } = decideSize(options.size, prompt, fill, state.floor.get() ?? 0, state.marks.get());
    if (marks) state.marks.set(marks);
    const statsEvent = variant === 'window' ? 'window-warning' : (variant ?? 'silent');
    later.stats({ prompt, ...fill, event: statsEvent });
    if (variant === undefined) return [...billed, context.pass(`prompt ${prompt} is none to speak at`)];
    const said = variant === 'window' ? sayWindow(context, root, fill) : sayCheckpoint(context, root, prompt, fill);
    return [...billed, ...said];
  },
});

function say(
  context: Parameters<typeof nudge>[0],
  root: string,
  told: Told & { readonly variant: keyof typeof PRIORITIES },
): Verdict[] {
  const priority = PRIORITIES[told.variant];
  return nudge(context, root, told).map((verdict) => ({ ...verdict, priority }));
}

/** A few words at every prompt: a box around them would be more than they are. */
function sayPaused({ options, note, later }: Context, root: string, turns: number): Verdict[] {
  const { short_turns: most } = readGroup(options['pause'], PAUSE_DEFAULTS);
  const given = isMap(options['nudge']) ? options['nudge'] : {};
  const plainly = { note, later, options: { ...options, nudge: { ...given, style: 'plain' } } };
  const told = { values: { turns }, relayed: { turns } };
  if (turns <= most) return say(plainly, root, { variant: 'paused', ...told });
  return say(plainly, root, { variant: 'paused-long', ...told });
}

function sayBilling(context: Context, root: string, tokens: number): Verdict[] {
  const limit = context.options['billing_token_warn'];
  if (typeof limit !== 'number' || !(limit > 0) || tokens < limit || context.state.billed.isSet()) return [];
  context.state.billed.set();
  const values = { tokenCount: own(showTokens(tokens)), threshold: own(showTokens(limit)) };
  return say(context, root, { variant: 'billing', values, relayed: { tokens, threshold: limit } });
}

function sayWindow(context: Context, root: string, fill: SessionFill): Verdict[] {
  const { tokens, pct, window } = fill;
  return say(context, root, { variant: 'window', values: shown(fill), relayed: { tokens, pct, window } });
}

function sayCheckpoint(context: Context, root: string, prompt: number, fill: SessionFill): Verdict[] {
  const { tokens, pct } = fill;
  const key = contextKey(context.workspace, root);
  const oversize = ifWhole(context.state.oversize.get(key), { tokens: 0, threshold: 0, files: [] });
  context.state.oversize.clear(key);
  const values = {
    promptCount: prompt,
    usage: tokens > 0 ? lineOf(context, 'usage', shown(fill)) : own(''),
    oversize: oversize ? lineOf(context, 'oversize', shownOversize(oversize)) : own(''),
  };
  return say(context, root, { variant: 'checkpoint', values, relayed: { prompt, ...(tokens > 0 && { tokens, pct }) } });
}

/** A message that stands in another one; nothing when the person silenced it. */
function lineOf(context: Context, variant: string, values: Told['values']): OwnWords {
  const { text } = context.note(variant, values);
  return own(text === undefined ? '' : `\n${text}`);
}

function shown({ tokens, pct, window }: SessionFill): NonNullable<Told['values']> {
  return { tokenCount: own(showTokens(tokens)), percentage: pct, window: own(showTokens(window)) };
}

function shownOversize({ tokens, threshold, files }: Oversize): NonNullable<Told['values']> {
  const [largest] = files.toSorted((one, other) => other.tokens - one.tokens);
  const sizes = { tokenCount: own(showTokens(tokens)), threshold: own(showTokens(threshold)) };
  return { ...sizes, largest: asPath(largest?.name ?? CONTEXT_DIR) };
}
