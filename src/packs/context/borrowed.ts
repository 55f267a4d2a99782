import type { BorrowedReader, BrokenPlaceholder } from '../../event/pack.ts';

const ACTION = /\{\{([^]*?)\}\}/g;
const VARIABLE = /^-?\s*\.([A-Za-z][A-Za-z0-9_]*)\s*-?$/;

/** Variables that are called otherwise here. */
const RENAMED: ReadonlyMap<string, string> = new Map([['unimportedCount', 'unexportedCount']]);

/**
 * A template of ctx as one of ours: `{{.Name}}` becomes `{name}`. A single brace is plain text there, so one that would
 * open a placeholder here gets a blank. Whatever else two braces open is logic, which no message has.
 */
export function parseTemplate(template: string): { readonly text: string; readonly broken?: BrokenPlaceholder } {
  let text = '';
  // Plain text and what stood between two braces, in turn.
  for (const [at, part] of template.split(ACTION).entries()) {
    const isAction = at % 2 === 1;
    const name = isAction ? VARIABLE.exec(part)?.[1] : undefined;
    if (name === undefined && (isAction || part.includes('{{')))
      return { text: '', broken: describe(template, part, isAction) };
    text += name === undefined ? part.replaceAll(/\{(?=[A-Za-z])/g, '{ ') : `{${ownName(name)}}`;
  }
  return { text };
}

function ownName(name: string): string {
  const plain = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  return RENAMED.get(plain) ?? plain;
}

function describe(template: string, part: string, isAction: boolean): BrokenPlaceholder {
  const opened = isAction ? template.indexOf(`{{${part}}}`) : template.lastIndexOf('{{');
  const line = template.slice(0, Math.max(opened, 0)).split('\n').length;
  if (!isAction) return { line, message: 'two braces are opened and not closed' };
  const shown = part.length > 40 ? `${part.slice(0, 40)}…` : part;
  return { line, message: `"{{${shown.replaceAll('\n', ' ')}}}" is no variable; write {{.Name}}` };
}

/** How the files that a project has for ctx are read. */
export const borrowed: BorrowedReader = {
  options: {
    task_nudge_interval: ['task.interval', 'number'],
    injection_token_warn: ['load.injection_token_warn', 'number'],
    billing_token_warn: ['billing_token_warn', 'number'],
    context_window: ['window.size', 'number'],
    entry_count_decisions: ['knowledge.decisions_max', 'number'],
    entry_count_learnings: ['knowledge.learnings_max', 'number'],
    convention_line_count: ['knowledge.conventions_max_lines', 'number'],
    freshness_files: ['freshness.files', 'list'],
    // The older place of the key below it, which counts where both are set.
    'notify.key_rotation_days': ['notify.key_rotation_days', 'number'],
    key_rotation_days: ['notify.key_rotation_days', 'number'],
    key_path: ['notify.key_path', 'text'],
    event_log: ['event_log', 'switch'],
    'notify.events': ['notify.events', 'list'],
    auto_prune_days: ['prune_days', 'number'],
  },
  messageNames: {
    'block-dangerous-commands/mid-sudo': 'block-dangerous-commands/sudo',
    'block-dangerous-commands/mid-git-push': 'block-dangerous-commands/git-push',
    'block-dangerous-commands/install-to-local-bin': 'block-dangerous-commands/install-to-bin',
    'version-drift/nudge': 'post-commit/version-drift',
    'check-journal/unimported': 'check-journal/unexported',
    // The later spelling of three of its hooks.
    'check-ceremony': 'check-ceremonies',
    'check-reminder': 'check-reminders',
    'check-resource': 'check-resources',
  },
  parseTemplate,
};
