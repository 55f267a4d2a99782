/** A rule as its author means it; the file is written in one of the layouts that hookify reads. */
export interface Meant {
  readonly event: string;
  readonly pattern?: string;
  readonly conditions?: readonly { readonly field: string; readonly operator?: string; readonly pattern: string }[];
  readonly action?: string;
  readonly enabled?: boolean;
  readonly tool?: string;
  readonly layout?: 'quoted' | 'inline' | 'commented';
}

const one = (field: string, operator: string, pattern: string) => ({ field, operator, pattern });

/** All forms: every event, operator and field, both actions, switched off, each layout. */
export const RULES: Readonly<Record<string, Meant>> = {
  'no-force-push': { event: 'bash', pattern: String.raw`git\s+push\s+.*--force\b`, action: 'block' },
  'sudo-is-seen': { event: 'bash', pattern: String.raw`^sudo\s`, layout: 'quoted' },
  'ends-in-dev-null': { event: 'bash', pattern: String.raw`>\s*/dev/null$`, action: 'warn' },
  'curl-to-shell': { event: 'bash', pattern: String.raw`(?:curl|wget)[^|]*\|\s*(?:ba|z)?sh`, action: 'block' },
  'three-digits': { event: 'bash', pattern: String.raw`chmod\s+[0-7]{,3}7\b`, action: 'warn' },
  'upper-case-drop': { event: 'bash', pattern: 'DROP TABLE', action: 'block' },
  'named-group': { event: 'bash', pattern: String.raw`(?P<tool>npm|pnpm)\s+publish`, action: 'block' },
  'any-dot': { event: 'bash', pattern: 'first.second', action: 'warn' },
  'across-lines': { event: 'bash', pattern: '(?s)first.second', action: 'warn' },
  'each-line': { event: 'bash', pattern: String.raw`(?m)^rm\s`, action: 'block' },
  'a-set': { event: 'bash', pattern: String.raw`[]x]{2}|[^a-z ]{6}`, action: 'warn' },
  'command-contains': { event: 'bash', conditions: [one('command', 'contains', '--no-verify')], action: 'block' },
  'command-equals': { event: 'bash', conditions: [one('command', 'equals', 'git stash')], layout: 'inline' },
  'starts-and-lacks': {
    event: 'bash',
    conditions: [one('command', 'starts_with', 'git commit'), one('command', 'not_contains', '-m')],
    action: 'block',
  },
  'ends-with-all': { event: 'bash', conditions: [one('command', 'ends_with', '--all')], layout: 'inline' },
  described: { event: 'bash', conditions: [one('description', 'regex_match', 'clean')], action: 'warn' },
  'no-console': { event: 'file', pattern: String.raw`console\.log\(`, action: 'warn' },
  'env-files': {
    event: 'file',
    conditions: [one('file_path', 'regex_match', String.raw`\.env$`), one('new_text', 'contains', 'KEY')],
    action: 'block',
    layout: 'commented',
  },
  'whole-path': {
    event: 'file',
    conditions: [one('file_path', 'equals', '/home/dev/project/secret.txt')],
    action: 'block',
  },
  'needs-licence': {
    event: 'file',
    conditions: [one('file_path', 'ends_with', '.ts'), one('content', 'not_contains', 'SPDX')],
  },
  'old-text-gone': { event: 'file', conditions: [one('old_text', 'contains', 'assert')], action: 'block' },
  'only-writes': { event: 'file', pattern: 'TODO', tool: 'Write', layout: 'quoted' },
  'asks-before': { event: 'file', conditions: [one('file_path', 'contains', '/migrations/')], action: 'ask' },
  'says-deploy': { event: 'prompt', conditions: [one('user_prompt', 'contains', 'deploy')] },
  'prompt-pattern': { event: 'prompt', pattern: String.raw`\bproduction\b`, action: 'block' },
  'always-at-stop': { event: 'stop', pattern: '.*', action: 'block' },
  'stop-without-tests': { event: 'stop', conditions: [one('reason', 'not_contains', 'tested')], action: 'warn' },
  'says-done': { event: 'stop', pattern: String.raw`^done\b`, action: 'warn' },
  everywhere: { event: 'all', pattern: 'password', action: 'warn', layout: 'commented' },
  'switched-off': { event: 'bash', pattern: '.*', action: 'block', enabled: false },
};

/** What cannot be translated, with a part of the reason. */
export const REFUSED: Readonly<Record<string, readonly [meant: Meant, why: string]>> = {
  'looks-ahead': [{ event: 'bash', pattern: String.raw`rm\s+-rf\s+(?!build)` }, 'looking ahead or behind'],
  'looks-back': [{ event: 'bash', pattern: '(?<=git )push' }, 'looking ahead or behind'],
  'refers-back': [{ event: 'file', pattern: String.raw`(\w+) \1` }, 'a reference back'],
  verbose: [{ event: 'bash', pattern: '(?x) rm # remove' }, 'the flag `x`'],
  broken: [{ event: 'bash', pattern: 'rm (' }, 'never closed'],
  'unknown-operator': [{ event: 'bash', conditions: [one('command', 'like', 'rm')] }, 'no operator "like"'],
  'unknown-event': [{ event: 'shell', pattern: 'rm' }, 'no event "shell"'],
  empty: [{ event: 'bash' }, 'neither a pattern nor conditions'],
};

export function fileOf(name: string, meant: Meant): string {
  const { event, pattern, conditions = [], action, enabled = true, tool, layout } = meant;
  const value = (text: string) => (layout === 'quoted' ? `"${text.replaceAll('\\', '\\\\')}"` : text);
  const lines = [
    `name: ${name}`,
    `enabled: ${enabled}`,
    `event: ${event}`,
    ...(layout === 'commented' ? ['# what it looks at', ''] : []),
    ...(tool === undefined ? [] : [`tool_matcher: ${tool}`]),
    ...(pattern === undefined ? [] : [`pattern: ${value(pattern)}`]),
    ...(conditions.length === 0 ? [] : ['conditions:']),
    ...conditions.flatMap(({ field, operator, pattern: each }) =>
      layout === 'inline'
        ? [`  - field: ${field}, operator: ${operator}, pattern: ${each}`]
        : [`  - field: ${field}`, `    operator: ${operator}`, `    pattern: ${value(each)}`],
    ),
    ...(action === undefined ? [] : [`action: ${action}`]),
  ];
  return `---\n${lines.join('\n')}\n---\n\n**${name}** was met, with {braces} and {command}.\n`;
}
