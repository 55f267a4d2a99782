import { marksAfter, own, show } from '../api/message-values.ts';
import type { MessageValue } from '../api/message-values.ts';

const PLACEHOLDER = /\{([A-Za-z][A-Za-z0-9_]*)\}/g;

export type MessageValues = Readonly<Record<string, MessageValue>>;

/** Texts and names in turn; a template is taken apart once. */
const templates = new Map<string, readonly string[]>();
const MAX_TEMPLATES = 2_000;

function partsOf(template: string): readonly string[] {
  let parts = templates.get(template);
  if (!parts) {
    parts = template.split(PLACEHOLDER);
    if (templates.size >= MAX_TEMPLATES) templates.clear();
    templates.set(template, parts);
  }
  return parts;
}

/** Fills `{name}`; a name without a value stays as it is, so that braces in code survive. */
export function fill(template: string, values: MessageValues): string {
  const parts = partsOf(template);
  let text = parts[0] ?? '';
  let around = marksAfter(text, undefined);
  for (let at = 1; at < parts.length; at += 2) {
    const name = parts[at] as string;
    const next = parts[at + 1] as string;
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    text += (value === undefined ? `{${name}}` : show(value, around)) + next;
    around = marksAfter(next, around);
  }
  return text;
}

export function placeholdersOf(template: string): string[] {
  return [...new Set([...template.matchAll(PLACEHOLDER)].map((match) => match[1] as string))];
}

/** Overrides of one workspace, by rule id and variant. */
export type Overrides = Readonly<Record<string, Readonly<Record<string, Override>>>>;

export interface Override {
  /** Empty text is intended silence. */
  readonly text: string;
  /** Why it cannot be used at all. */
  readonly problem?: string;
}

/** An override whose place the rule's own words take, and why: for the log, once per version of its file. */
export interface UnfitMessage {
  readonly rule: string;
  readonly variant: string;
  readonly file: string;
  readonly version: string;
  readonly problem: string;
  /** The project that it counts for. */
  readonly root: string;
}

/** What a person or agent reads when a blocking rule's message was silenced: a message file never switches a guard off. */
const SILENCED_REASON = 'Stopped by the rule {rule}. `fairlead explain --last` shows why.';

export interface MessageSource {
  readonly rule: string;
  readonly messages: Readonly<Record<string, string>>;
  readonly overrides: Overrides | undefined;
}

/**
 * The text of a variant: the override if it fits the built-in placeholders, else the built-in text.
 * Undefined when the user silenced it.
 */
export function textOf(source: MessageSource, variant: string, values: MessageValues): string | undefined {
  const builtIn = source.messages[variant];
  const override = source.overrides?.[source.rule]?.[variant];
  if (override && problemIn(override, builtIn) === undefined) {
    return override.text.trim() === '' ? undefined : fill(override.text, values).trim();
  }
  return builtIn === undefined ? undefined : fill(builtIn, values).trim();
}

export function blockingTextOf(source: MessageSource, variant: string, values: MessageValues): string {
  return textOf(source, variant, values) ?? fill(SILENCED_REASON, { rule: own(source.rule) });
}

/** An override may leave placeholders out, but may not name one the rule never fills. */
export function problemIn({ text, problem }: Override, builtIn = ''): string | undefined {
  if (problem !== undefined) return problem;
  const named = placeholdersOf(text);
  if (named.length === 0) return undefined;
  const known = placeholdersOf(builtIn);
  const unknown = named.filter((name) => !known.includes(name));
  return unknown.length === 0 ? undefined : `nothing fills ${unknown.map((name) => `{${name}}`).join(', ')}`;
}
