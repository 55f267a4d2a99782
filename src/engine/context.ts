import { bindCells } from '../state/cells.ts';
import type { OwnerOf } from '../state/cells.ts';
import type { Draft } from '../state/draft.ts';
import type { Verdict, VerdictKind } from '../event/verdict.ts';
import { blockingTextOf, textOf } from './messages.ts';
import type { MessageSource, Overrides } from './messages.ts';
import type { ActiveRule } from './rule-index.ts';
import type { RuleContext, RuleFiles, RuleWorkspace } from './rule.ts';

export interface ContextParts {
  readonly draft: Draft;
  readonly ownerOf: OwnerOf;
  readonly workspace: RuleWorkspace;
  readonly files: RuleFiles;
  readonly overrides: Overrides | undefined;
  /** Asked for by few rules, so it is made when asked for. */
  signal(): AbortSignal;
}

/** What a rule's check is given: its memory, its words, and nothing else it could break. */
export function contextFor(rule: ActiveRule, parts: ContextParts): RuleContext {
  const { meta, mode } = rule;
  const source: MessageSource = { rule: meta.id, messages: meta.messages, overrides: parts.overrides };
  const stamp = { rule: meta.id, priority: meta.priority ?? 50 };
  const say = (kind: VerdictKind, words: typeof textOf) => (variant: string, values: Readonly<Record<string, string | number>> = {}): Verdict => {
    const text = words(source, variant, values);
    return { ...stamp, kind, variant, ...(text === undefined ? {} : { text }) };
  };
  return {
    now: parts.draft.now,
    mode,
    workspace: parts.workspace,
    files: parts.files,
    options: rule.options,
    state: bindCells(meta.state ?? {}, parts.draft, parts.ownerOf),
    get signal() {
      return parts.signal();
    },
    pass: (reason) => ({ ...stamp, kind: 'pass', ...(reason === undefined ? {} : { reason }) }),
    note: say('note', textOf),
    warn: say('warn', textOf),
    ask: say('ask', blockingTextOf),
    deny: say('deny', blockingTextOf),
    allow: say('allow', textOf),
    rewrite: (input, reason) => ({ ...stamp, kind: 'rewrite', input, ...(reason === undefined ? {} : { text: reason }) }),
  };
}
