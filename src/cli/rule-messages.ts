import { placeholdersOf, problemIn } from '../engine/advice/messages.ts';
import type { ActiveRule } from '../engine/match/rule-index.ts';
import { baseOf } from '../workspace/config/compiled.ts';
import type { LayerMessage } from '../workspace/config/layer.ts';
import type { OwnKind } from '../workspace/config/compiled.ts';
import { join } from '../platform/paths.ts';
import type { Layers } from '../workspace/standing.ts';

/** One message as it stands: whose words are said, and whether an override is what its author meant. */
export interface MessageState {
  readonly rule: string;
  readonly variant: string;
  /** `built in`, `rule file`, a layer, or the other program whose file it is. */
  readonly source: string;
  /** What the rule fills in. */
  readonly placeholders: readonly string[];
  /** `silent`: an empty override. `broken`: the override cannot be used, so the rule's own words are said. */
  readonly status: 'ok' | 'silent' | 'broken';
  readonly problem?: string;
  /** The text in force, before anything is filled in. */
  readonly text: string;
  /** The override's file. */
  readonly file?: string;
}

export function overridePath(kind: OwnKind, layers: Layers, rule: string, variant: string): string {
  return join(baseOf(kind, layers[kind].dir), 'messages', rule, `${variant}.md`);
}

export function messagesOf(rule: ActiveRule, layers: Layers): MessageState[] {
  return Object.keys(rule.meta.messages).map((variant) => messageOf(rule, variant, layers));
}

export function messageOf(rule: ActiveRule, variant: string, layers: Layers): MessageState {
  const own = rule.meta.messages[variant] ?? '';
  const base = { rule: rule.meta.id, variant, placeholders: placeholdersOf(own) };
  const kind = (['project', 'user'] as const).find((each) => layers[each].messages[rule.meta.id]?.[variant]);
  const override = kind && layers[kind].messages[rule.meta.id]?.[variant];
  if (!kind || !override)
    return { ...base, source: rule.source === 'built in' ? 'built in' : 'rule file', status: 'ok', text: own };
  const { text, file } = override;
  const source = override.from ?? kind;
  const problem = problemIn(override, own);
  if (problem !== undefined) return { ...base, source, status: 'broken', problem, text: own, file };
  return { ...base, source, status: text.trim() === '' ? 'silent' : 'ok', text, file };
}

export interface Orphan extends Pick<LayerMessage, 'file'> {
  readonly source: string;
  readonly rule: string;
  readonly variant: string;
}

/** Overrides in force for a rule or variant that does not exist. */
export function orphansOf(rules: readonly ActiveRule[], layers: Layers): Orphan[] {
  return (['user', 'project'] as const).flatMap((kind) =>
    Object.entries(layers[kind].messages).flatMap(([rule, variants]) =>
      Object.entries(variants)
        .filter(([variant]) => rules.find(({ meta }) => meta.id === rule)?.meta.messages[variant] === undefined)
        .map(([variant, { file, from }]) => ({ source: from ?? kind, rule, variant, file })),
    ),
  );
}
