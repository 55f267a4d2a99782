import { bindCells, isShared } from '../../state/cells.ts';
import type { Cells, OwnerOf } from '../../state/cells.ts';
import type { CellSpec } from '../../state/cell.ts';
import type { Draft } from '../../state/draft.ts';
import type { Effect } from '../../event/effect.ts';
import { tagged } from '../../event/verdict.ts';
import type { Mode, Verdict, VerdictKind } from '../../event/verdict.ts';
import { countHeed } from '../advice/outcomes.ts';
import { roomFor } from '../advice/attention.ts';
import type { Attention } from '../advice/attention.ts';
import { blockingTextOf, textOf } from '../advice/messages.ts';
import type { MessageValues } from '../advice/messages.ts';
import type { Overrides } from '../advice/messages.ts';
import type { Standing } from '../limits/guards.ts';
import type { ActiveRule } from '../match/rule-index.ts';
import type { FollowUp, Later } from '../../event/follow-up.ts';
import type { AgentMemory, AgentRecords, TranscriptFile } from '../session/agent-records.ts';
import type { AgentSetup, RuleContext, RuleFiles, RuleWorkspace } from '../rule.ts';
import type { RuleFacts } from '../../event/facts.ts';
import type { Paused } from '../session/pause.ts';
import type { Turn } from '../session/turn.ts';
import type { Usage } from '../session/usage.ts';
import { dirtyId, jobKey, markDirty } from '../../state/due-work.ts';

export interface ContextParts extends Standing {
  readonly draft: Draft;
  standingOf(rule: ActiveRule): Standing;
  readonly files: RuleFiles;
  readonly overrides: Overrides | undefined;
  /** Everything the call would do. */
  readonly effects: readonly Effect[];
  /** The part of it that a rule listens to; throws what kept it from being read. */
  effectsFor(rule: ActiveRule): readonly Effect[];
  readonly careful: boolean;
  readonly machine?: string | undefined;
  /** The id of the decision that is being made. */
  readonly decision: string;
  readonly turn: () => Turn;
  readonly setup: () => AgentSetup;
  readonly records: AgentRecords;
  readonly today: () => string;
  readonly pause: Paused | undefined;
  readonly facts: RuleFacts;
  readonly attention: Attention;
  isOwnWrite(path: string, mtimeMs: number): boolean;
  /** Who the event came from; absent where nobody can be told anything. */
  readonly who: { readonly session: string; readonly agent: string } | undefined;
}

type State = Readonly<Record<string, CellSpec>>;
type Values = MessageValues;

const NOTHING_LATER: readonly FollowUp[] = [];

/**
 * What a rule's check is given: its memory, its words, and nothing else it could break. A class, since one is made for
 * every check that runs: cells and the signal come into being when a rule asks for them.
 */
export class Context implements RuleContext {
  readonly #rule: ActiveRule;
  readonly #parts: ContextParts;
  readonly #draft: Draft;
  readonly #standing: Standing;
  #cells: Cells<State> | undefined;
  #usedTeam = false;
  #effects: readonly Effect[] | undefined;
  #abort: AbortController | undefined;
  #followUps: FollowUp[] | undefined;

  /** `draft` is the rule's own branch of the event's. */
  constructor(rule: ActiveRule, parts: ContextParts, draft: Draft) {
    this.#rule = rule;
    this.#parts = parts;
    this.#draft = draft;
    this.#standing = parts.standingOf(rule);
  }

  get now(): number {
    return this.#draft.now;
  }
  get today(): string {
    return this.#parts.today();
  }
  get mode(): Mode {
    return this.#rule.mode;
  }
  get decision(): string {
    return this.#parts.decision;
  }
  get careful(): boolean {
    return this.#parts.careful;
  }
  get machine(): string | undefined {
    return this.#parts.machine;
  }
  get effects(): readonly Effect[] {
    return (this.#effects ??= this.#parts.effectsFor(this.#rule));
  }
  get workspace(): RuleWorkspace {
    return this.#standing.workspace;
  }
  get files(): RuleFiles {
    return this.#parts.files;
  }
  get options(): Readonly<Record<string, unknown>> {
    return this.#rule.options;
  }
  get state(): Cells<State> {
    return (this.#cells ??= bindCells(this.#rule.meta.state ?? {}, this.#draft, this.#owners()));
  }
  /** For a rule with a bound it is kept in mind whether it looks at what a team shares. */
  #owners(): OwnerOf {
    const { ownerOf } = this.#standing;
    if (this.#rule.meta.team === undefined) return ownerOf;
    return (scope) => {
      if (isShared(scope)) this.#usedTeam = true;
      return ownerOf(scope);
    };
  }
  get usedTeam(): boolean {
    return this.#usedTeam;
  }
  get turn(): Turn {
    return this.#parts.turn();
  }
  get setup(): AgentSetup {
    return this.#parts.setup();
  }
  get paused(): Paused | undefined {
    return this.#parts.pause;
  }
  get facts(): RuleFacts {
    return this.#parts.facts;
  }
  isOwnWrite(path: string, mtimeMs: number): boolean {
    return this.#parts.isOwnWrite(path, mtimeMs);
  }
  room(): number {
    const room = roomFor(this.#parts.attention, this.#draft, this.#parts.ownerOf);
    return Math.max(0, room - tagged(this.#rule.meta.id, '').length);
  }
  usage(): Usage {
    return this.#parts.records.usage();
  }
  transcripts(): Iterable<TranscriptFile> {
    return this.#parts.records.transcripts();
  }
  memory(): AgentMemory | undefined {
    return this.#parts.records.memory();
  }
  /** What the rule wants done after the reply. */
  get followUps(): readonly FollowUp[] {
    return this.#followUps ?? NOTHING_LATER;
  }
  get later(): Later {
    const { id, pack } = this.#rule.meta;
    const { who } = this.#parts;
    const { root } = this.#standing.workspace;
    const followUps = (this.#followUps ??= []);
    return {
      count: (name, by = 1, at = root) => void followUps.push({ kind: 'count', pack, root: at, name, by }),
      time: (name, ms) => void followUps.push({ kind: 'time', pack, root, name, ms }),
      relay: (variant, text, variables, event = 'relay') =>
        void followUps.push({
          kind: 'relay',
          record: {
            at: this.now,
            event,
            rule: id,
            variant,
            message: `${id}: ${text}`,
            root,
            ...(variables && { variables }),
            ...(who && { session: who.session }),
            ...(this.#rule.mode === 'shadow' && { isLogOnly: true }),
          },
        }),
      run: (job, subject, at = root) => {
        // A rule that only watches changes nothing.
        if (this.#rule.mode === 'shadow') return;
        const key = jobKey(subject, job);
        markDirty(this.#draft, dirtyId(at, pack, key), who);
        followUps.push({ kind: 'job', pack, root: at, key });
      },
      impact: (symbol) => {
        if (this.#rule.mode !== 'shadow') followUps.push({ kind: 'impact', root, symbol });
      },
      heed: (rule, decision, outcome) =>
        void followUps.push(countHeed({ rule, decision, ...(outcome && { outcome }) }, this.#draft)),
      stats: (line) => void (who && followUps.push({ kind: 'stats', session: who.session, line })),
      prune: (days) => void followUps.push({ kind: 'prune', days }),
    };
  }
  get signal(): AbortSignal {
    return (this.#abort ??= new AbortController()).signal;
  }
  /** The rule's time is up. */
  abort(): void {
    this.#abort?.abort();
  }

  // Bound, so that a rule may take apart what it is given: `check(event, { state, deny })`.
  readonly pass = (reason?: string, remark?: 'remark'): Verdict => {
    const { id: rule, priority = 50 } = this.#rule.meta;
    if (reason === undefined) return { kind: 'pass', rule, priority };
    return remark === undefined
      ? { kind: 'pass', rule, priority, reason }
      : { kind: 'pass', rule, priority, reason, remark: true };
  };
  readonly note = (variant: string, values?: Values): Verdict => this.#say('note', variant, textOf, values);
  readonly warn = (variant: string, values?: Values): Verdict => this.#say('warn', variant, textOf, values);
  readonly ask = (variant: string, values?: Values): Verdict => this.#say('ask', variant, blockingTextOf, values);
  readonly save = (what: readonly (string | Effect)[], variant: string, values?: Values): Verdict => ({
    ...this.#say('ask', variant, blockingTextOf, values),
    kind: 'save',
    keeps: what.map((each) => (typeof each === 'string' ? wholePath(each, this.#rule.meta.id) : each)),
  });
  readonly deny = (variant: string, values?: Values): Verdict => this.#say('deny', variant, blockingTextOf, values);
  readonly allow = (variant: string, values?: Values): Verdict => this.#say('allow', variant, textOf, values);
  readonly rewrite = (input: Readonly<Record<string, unknown>>, reason?: string): Verdict => {
    const { id: rule, priority = 50 } = this.#rule.meta;
    const verdict = { kind: 'rewrite' as const, rule, priority, input };
    return reason === undefined ? verdict : { ...verdict, text: reason };
  };

  #say(kind: VerdictKind, variant: string, words: typeof textOf, values: Values = {}): Verdict {
    const { id: rule, messages, priority = 50 } = this.#rule.meta;
    const text = words({ rule, messages, overrides: this.#parts.overrides }, variant, values);
    if (text === undefined) return { kind, rule, priority, variant };
    const [what = ''] = text.split('\n', 1);
    // The lines below the first tell the agent what to do instead; what a person wrote is all for the person.
    const isForBoth = words !== blockingTextOf || what === text || this.#rule.source !== 'built in';
    return isForBoth ? { kind, rule, priority, variant, text } : { kind, rule, priority, variant, text, person: what };
  }
}

/** All that lies at a path goes. */
function wholePath(path: string, rule: string): Effect {
  return { kind: 'delete', target: path, path, recursive: true, seen: rule, road: [] };
}
