import { isUsable, placeholdersOf } from '../engine/messages.ts';
import type { ActiveRule } from '../engine/rule-index.ts';
import { baseOf } from '../workspace/config/layer.ts';
import type { Layer, LayerKind } from '../workspace/config/layer.ts';
import { checkPlaceholders } from '../workspace/config/placeholders.ts';
import { join } from '../platform/paths.ts';
import type { Layers } from '../workspace/policy.ts';

/** One message as it stands: whose words are said, and whether an override is what its author meant. */
export interface MessageState {
  readonly rule: string;
  readonly variant: string;
  readonly source: 'built in' | 'rule file' | LayerKind;
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

export function overridePath(kind: LayerKind, layers: Layers, rule: string, variant: string): string {
  return join(baseOf(kind, layers[kind].dir), 'messages', rule, `${variant}.md`);
}

export function messagesOf(rule: ActiveRule, layers: Layers): MessageState[] {
  return Object.keys(rule.meta.messages).map((variant) => messageOf(rule, variant, layers));
}

export function messageOf(rule: ActiveRule, variant: string, layers: Layers): MessageState {
  const own = rule.meta.messages[variant] ?? '';
  const placeholders = placeholdersOf(own);
  const base = { rule: rule.meta.id, variant, placeholders };
  for (const kind of ['project', 'user'] as const) {
    const override = layers[kind].messages[rule.meta.id]?.[variant];
    if (override) {
      const { text, file } = override;
      if (isUsable(text, own))
        return { ...base, source: kind, status: text.trim() === '' ? 'silent' : 'ok', text, file };
      const unknown = checkPlaceholders(text, placeholders).map((name) => `{${name}}`);
      return {
        ...base,
        source: kind,
        status: 'broken',
        problem: `nothing fills ${unknown.join(', ')}`,
        text: own,
        file,
      };
    }
    const broken = brokenFile(layers[kind], overridePath(kind, layers, rule.meta.id, variant));
    if (broken)
      return {
        ...base,
        source: kind,
        status: 'broken',
        problem: broken.problem,
        text: textBelow(rule, variant, layers, kind),
        file: broken.file,
      };
  }
  return { ...base, source: rule.source === 'built in' ? 'built in' : 'rule file', status: 'ok', text: own };
}

/** A file that could not be read as a message leaves the layer below in force. */
function textBelow(rule: ActiveRule, variant: string, layers: Layers, kind: LayerKind): string {
  const own = rule.meta.messages[variant] ?? '';
  const below = kind === 'project' ? layers.user.messages[rule.meta.id]?.[variant]?.text : undefined;
  return below !== undefined && isUsable(below, own) ? below : own;
}

function brokenFile(
  { files, problems }: Layer,
  path: string,
): { readonly file: string; readonly problem: string } | undefined {
  const file = files.find((each) => each.kind === 'message' && each.state === 'broken' && each.path === path);
  if (!file) return undefined;
  return { file: path, problem: problems.find((problem) => problem.file === path)?.message ?? 'cannot be read' };
}

/** Overrides in force for a rule or variant that does not exist. */
export function orphansOf(
  rules: readonly ActiveRule[],
  layers: Layers,
): { readonly kind: LayerKind; readonly rule: string; readonly variant: string; readonly file: string }[] {
  return (['user', 'project'] as const).flatMap((kind) =>
    Object.entries(layers[kind].messages).flatMap(([rule, variants]) =>
      Object.entries(variants)
        .filter(([variant]) => rules.find(({ meta }) => meta.id === rule)?.meta.messages[variant] === undefined)
        .map(([variant, { file }]) => ({ kind, rule, variant, file })),
    ),
  );
}
