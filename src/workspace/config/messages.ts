import { CTX_MESSAGES, isCtxName } from './ctx-files.ts';
import { parseCtxTemplate } from './ctx-template.ts';
import { findBrokenPlaceholder } from './placeholders.ts';
import type { Problem } from '../../user-rules/problem.ts';

/** A person's own wording for one variant of one rule. Empty text is intended silence. */
export interface MessageOverride {
  readonly rule: string;
  readonly variant: string;
  readonly text: string;
  /** Why the file cannot be used; the rule's own words are said then. */
  readonly problem?: string;
}

const OWN_DIR = 'messages/';
/** Messages that have another name in ctx than here. */
const CTX_NAMES: Readonly<Record<string, string>> = {
  'block-dangerous-commands/mid-sudo': 'block-dangerous-commands/sudo',
  'block-dangerous-commands/mid-git-push': 'block-dangerous-commands/git-push',
  'block-dangerous-commands/install-to-local-bin': 'block-dangerous-commands/install-to-bin',
  'version-drift/nudge': 'post-commit/version-drift',
};

/** `name` counts from the layer's directory: `messages/<rule id>/<variant>.md`, or that of a file of ctx. */
export function parseMessage(
  text: string,
  { file, name }: { readonly file: string; readonly name: string },
): { readonly message?: MessageOverride; readonly problems: readonly Problem[] } {
  const about = messageNamed(name);
  const warn = (line: number, message: string): readonly Problem[] => [
    { file, line, key: '', message: `${message}; the override is left out`, severity: 'warning' },
  ];
  if (!about)
    return {
      problems: warn(1, `expected ${isCtxName(name) ? '<hook>/<variant>.txt' : 'messages/<rule>/<variant>.md'}`),
    };
  const body = text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  const parsed = isCtxName(name) ? parseCtxTemplate(body) : { text: body, broken: findBrokenPlaceholder(body) };
  if (parsed.broken) {
    const { line, message } = parsed.broken;
    return { message: { ...about, text: '', problem: message }, problems: warn(line, message) };
  }
  return { message: { ...about, text: parsed.text.trim() }, problems: [] };
}

/** Which message a file is about; undefined when its name says nothing of the kind. */
export function messageNamed(name: string): Pick<MessageOverride, 'rule' | 'variant'> | undefined {
  const isCtx = isCtxName(name);
  const given = name.slice(isCtx ? CTX_MESSAGES.length + 1 : OWN_DIR.length).replace(/\.[^./]*$/, '');
  const below = isCtx ? `context/${Object.hasOwn(CTX_NAMES, given) ? CTX_NAMES[given] : given}` : given;
  const slash = given.includes('/') ? below.lastIndexOf('/') : -1;
  return slash === -1 ? undefined : { rule: below.slice(0, slash), variant: below.slice(slash + 1) };
}
