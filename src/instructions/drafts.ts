import type { Content, Place } from './objects.ts';
import { listOf, mapOf, quote } from './rule-draft.ts';
import type { Draft } from './rule-draft.ts';

type Action = Draft['action'];

/** A command as somebody would run it, of one with `<name>` and `*`. */
function runOf(typed: string): string {
  const [program = '', ...rest] = typed
    .split(/\s+/)
    .map((word, at) => (at > 0 ? word.replaceAll(/<.*>|^\*$/g, 'example').replaceAll('*', '') : word));
  return [...(program === '*' ? ['git', 'commit'] : [program]), ...rest].join(' ');
}

const WORD = /[\w.]+/g;

export function commandDraft(typed: readonly string[], action: Action, instead: readonly string[] = []): Draft {
  const [first = ''] = typed;
  const run = runOf(first);
  return {
    kind: 'command',
    about: ['no', ...(first.match(WORD) ?? [])],
    action,
    when: ['event: bash', `runs: ${listOf(typed)}`],
    acts: [...new Set(typed.slice(0, 4).map(runOf)), `cd app && ${run}`].map(quote),
    passes: [`git log --grep "${run}"`, `echo "${run}"`, ...instead.map(runOf)].map(quote),
    ...(instead[0] !== undefined && { instead: `Use \`${instead[0]}\`.` }),
  };
}

export function effectDraft(
  kind: string,
  about: readonly string[],
  action: Action,
  acts: readonly string[],
  passes: readonly string[],
): Draft {
  return {
    kind: 'command',
    about,
    action,
    when: [`effect: [${kind}]`],
    acts: acts.map(quote),
    passes: passes.map(quote),
  };
}

/** A file that a glob matches. */
export function fileOf(glob: string, ending = 'txt'): string {
  return glob
    .replaceAll(/\{([^,{}]*)[^{}]*\}/g, '$1')
    .replaceAll('**/', '')
    .replace(/\/\*\*$/, `/example.${ending}`)
    .replaceAll(/\*+/g, 'example');
}

const OTHERS = ['notes/other.example', 'other/place.example'];

const EFFECTS = { hand: '', edit: '[write]', delete: '[delete]', any: '[write, delete]' } as const;

/** `hand`: only by the tools that edit; else by whatever road, and what vanishes counts too where it is more than editing. */
export function fileDraft(globs: readonly string[], how: keyof typeof EFFECTS, action: Action): Draft {
  const files = globs.map((glob) => fileOf(glob));
  const [first = ''] = files;
  const byCommand = (text: string) => mapOf({ command: quote(text) });
  const edits = files.slice(0, 6).map((path) => mapOf({ path: quote(path), new: "'x'" }));
  const [writes, deletes] = [EFFECTS[how].includes('write'), EFFECTS[how].includes('delete')];
  return {
    kind: 'file',
    about: ['no', how === 'delete' ? 'delete' : 'edit', ...(globs[0]?.match(/[\w.-]*\w/g) ?? [])],
    action,
    when: [how === 'hand' ? 'event: file' : `effect: ${EFFECTS[how]}`, `paths: ${listOf(globs)}`],
    acts: [
      ...(how === 'delete' ? [] : edits),
      ...(writes ? [byCommand(`echo x > ${first}`)] : []),
      ...(deletes ? [byCommand(`rm ${first}`)] : []),
    ],
    passes: [
      ...OTHERS.map((path) => mapOf({ path: quote(path), new: "'x'" })),
      ...(how === 'hand' ? [] : [byCommand(`cat ${first}`)]),
      ...(how === 'delete' ? edits : []),
    ],
  };
}

export function readDraft(globs: readonly string[], action: Action): Draft {
  const files = globs.map((glob) => fileOf(glob));
  const isSecret = files.every((path) => /(?:^|\/)\.env(?:\.|$)/.test(path));
  return {
    kind: 'read',
    about: ['no', 'read', ...(globs[0]?.match(/[\w.-]*\w/g) ?? [])],
    action,
    when: [
      ...(isSecret ? ['effect: [read-secret]'] : ['event: tool.before', 'tool: [read]']),
      `paths: ${listOf(globs)}`,
    ],
    acts: [
      ...files.map((path) => mapOf({ tool: 'read', path: quote(path) })),
      ...(isSecret ? [mapOf({ command: quote(`cat ${files[0]}`) })] : []),
    ],
    passes: [
      ...OTHERS.map((path) => mapOf({ tool: 'read', path: quote(path) })),
      ...(isSecret ? [mapOf({ tool: 'read', path: "'.env.example'" })] : []),
    ],
  };
}

const DOCS = String.raw`\.(?:md|mdx|txt|rst|adoc)$`;

export function textDraft({ name, pattern, paths, hit, miss }: Content, place: Place, action: Action): Draft {
  const ending = paths?.[0]?.replace(/^\*\./, '') ?? 'ts';
  const endings = paths?.map((glob) => glob.replace(/^\*\./, '')).join('|');
  const globs = place.paths ?? paths;
  const file = globs
    ? fileOf(globs[0] ?? '', ending).replace(/^example$/, `example.${ending}`)
    : `src/example.${ending}`;
  const conditions = [
    { field: 'added_text', operator: 'regex_match', pattern },
    ...(place.paths && endings !== undefined
      ? [{ field: 'file_path', operator: 'regex_match', pattern: String.raw`\.(?:${endings})$` }]
      : []),
    ...(globs ? [] : [{ field: 'file_path', operator: 'not_regex_match', pattern: DOCS }]),
    ...(place.not === undefined ? [] : [{ field: 'file_path', operator: 'not_regex_match', pattern: place.not }]),
  ];
  const example = (path: string, text: string) => mapOf({ path: quote(path), new: quote(text) });
  return {
    kind: 'text',
    about: ['no', ...(name.match(WORD) ?? ['text'])],
    action,
    when: [
      'event: file',
      ...(globs ? [`paths: ${listOf(globs)}`] : []),
      'conditions:',
      ...conditions.flatMap(({ field, operator, pattern: fits }) => [
        `  - field: ${field}`,
        `    operator: ${operator}`,
        `    pattern: ${quote(fits)}`,
      ]),
    ],
    acts: [example(file, hit), mapOf({ path: quote(file), old: "'a'", new: quote(hit) })],
    passes: [
      example(file, miss),
      mapOf({ path: quote(file), old: quote(hit), new: quote(hit) }),
      example('README.md', place.paths ? miss : hit),
      ...(place.not === undefined ? [] : [example(`test/example.${ending}`, hit)]),
    ],
  };
}

function named(branches: readonly string[]): string {
  return quote(`(?-i)^(?:${branches.map((name) => name.replaceAll('.', String.raw`\.`)).join('|')})$`);
}

const branchCondition = (branches: readonly string[]) => [
  'conditions:',
  '  - field: branch',
  `    pattern: ${named(branches)}`,
];

export function pushDraft(branches: readonly string[] | undefined, isForced: boolean, action: Action): Draft {
  const [first = 'feature'] = branches ?? [];
  const push = isForced ? 'git push --force' : 'git push';
  return {
    kind: 'branch',
    about: ['no', ...(isForced ? ['force'] : []), 'push', ...(branches ?? [])],
    action,
    when: [
      `effect: ${isForced ? '[force-push]' : '[push, force-push]'}`,
      ...(branches ? branchCondition(branches) : []),
    ],
    acts: [quote(`${push} origin ${first}`), mapOf({ command: quote(push), branch: quote(first) })],
    passes: [
      ...(branches
        ? [quote(`${push} origin other-branch`), mapOf({ command: quote(push), branch: "'other-branch'" })]
        : []),
      ...(isForced ? [quote(`git push origin ${first}`), quote(`git push --force-with-lease origin ${first}`)] : []),
      quote(`git log ${first}`),
    ],
  };
}

const SIGNATURE = 'co-authored-by:';

export function signatureDraft(action: Action): Draft {
  const signed = (line: string) => quote(`git commit -m "x" -m "${line}"`);
  return {
    kind: 'command',
    about: ['no', 'co', 'author'],
    action,
    when: ['event: bash', "runs: ['git commit']", `pattern: ${quote(SIGNATURE)}`],
    acts: [signed('Co-Authored-By: Some Agent <agent@example.com>')],
    passes: [signed('Say who wrote it.'), quote('git log --grep "Co-Authored-By:"')],
  };
}

export function commitDraft(branches: readonly string[], action: Action): Draft {
  const [first = ''] = branches;
  const commit = quote('git commit -m "x"');
  return {
    kind: 'branch',
    about: ['no', 'commit', 'to', ...branches],
    action,
    when: [
      'event: bash',
      "runs: ['git commit']",
      ...branchCondition(branches),
      '  - field: command',
      '    operator: not_regex_match',
      String.raw`    pattern: '\bgit\s+(?:checkout|switch|worktree)\b'`,
    ],
    acts: branches.map((branch) => mapOf({ command: commit, branch: quote(branch) })),
    passes: [
      mapOf({ command: commit, branch: "'other-branch'" }),
      mapOf({ command: quote('git switch -c other && git commit -m "x"'), branch: quote(first) }),
      mapOf({ command: quote('git log'), branch: quote(first) }),
    ],
  };
}

export interface Work {
  readonly name: string;
  readonly commands: readonly string[];
}

const EDIT = "{ path: 'src/example.ts', new: 'x' }";

/** Something is run before a command. */
export function firstDraft({ name, commands }: Work, targets: readonly string[], action: Action): Draft {
  const [done = ''] = commands.map(runOf);
  const [target = ''] = targets.map(runOf);
  const command = quote(target);
  return {
    kind: 'first',
    about: [...(name.match(/\w+/g) ?? []).slice(0, 4), 'before', ...(target.match(/\w+/g) ?? []).slice(1, 3)],
    action,
    when: ['event: bash', `runs: ${listOf(targets)}`, 'unless:', `  ran: ${listOf(commands)}`],
    acts: [command, mapOf({ command, first: `[${quote(done)}, ${EDIT}]` })],
    passes: [
      mapOf({ command, first: `[${quote(done)}]` }),
      mapOf({ command, first: `[${EDIT}, ${quote(done)}]` }),
      quote('git status'),
    ],
    instead: `Run ${name} first.`,
  };
}

/** Something is run before the agent ends, where it edited. */
export function afterDraft({ name, commands }: Work, edits: readonly string[] | undefined, action: Action): Draft {
  const [done = ''] = commands.map(runOf);
  const edit = mapOf({ path: quote(edits ? fileOf(edits[0] ?? '') : 'src/example.ts'), new: "'x'" });
  const stop = (first: string) => mapOf({ event: 'stop', new: "'Done.'", first });
  return {
    kind: 'after',
    about: [...(name.match(/\w+/g) ?? []).slice(0, 4), 'after', 'edits'],
    action,
    when: ['event: stop', 'unless:', `  ran: ${listOf(commands)}`, ...(edits ? [`  edits: ${listOf(edits)}`] : [])],
    acts: [stop(`[${edit}]`), stop(`[${quote(done)}, ${edit}]`)],
    passes: [
      stop(`[${edit}, ${quote(done)}]`),
      mapOf({ event: 'stop', new: "'Done.'" }),
      ...(edits ? [stop("[{ path: 'notes/other.example', new: 'x' }]")] : []),
    ],
    instead: `Run ${name} before you end.`,
  };
}
