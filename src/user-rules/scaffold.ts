import { matchGlob, compileGlob } from '../text/glob.ts';
import { compilePattern } from './pattern.ts';

/** What may stand before a command: the start, an operator, `bash -c "`, and words that only run what follows. */
const BEFORE = String.raw`(?:^|[;&|({\n\x60]|\s-c\s+["'])\s*(?:(?:sudo|env|time|nice|nohup|exec|command|then|do|else|!|\w+=\S*)\s+)*`;
const AFTER = String.raw`(?:$|[\s;&|)}"'\x60])`;
/** A wildcard stays within its command. */
const ANYTHING = String.raw`[^;&|\n]*`;

/**
 * A pattern for commands that are written as a person would type them, with `*` for anything: `npm run deploy*`. It finds
 * the command where it is run, not where its words are only named, as in a commit message.
 */
export function commandPattern(typed: string): string {
  const words = typed.trim();
  const body = words
    .split(/(\s+|\*+|\?)/)
    .map((part) => {
      if (/^\s+$/.test(part)) return String.raw`\s+`;
      if (part.startsWith('*')) return ANYTHING;
      return part === '?' ? '.' : part.replaceAll(/[\\^$.*+?()[\]{}|/#-]/g, (sign) => ESCAPED[sign] ?? `\\${sign}`);
    })
    .join('');
  return BEFORE + body + (words.endsWith('*') ? '' : AFTER);
}

/** These need no escape outside a set, and a rule file is easier to read without. */
const ESCAPED: Readonly<Record<string, string>> = { '/': '/', '-': '-', '#': '#' };

/** The longest word that every such command has; the index of words finds it before the pattern is looked at. */
function wordOfCommand(typed: string): string | undefined {
  const [longest] = (typed.match(/[A-Za-z0-9_-]{2,}/g) ?? []).toSorted((a, b) => b.length - a.length);
  return longest;
}

export type ScaffoldEvent = 'bash' | 'file' | 'prompt' | 'stop';
export type ScaffoldAction = 'note' | 'ask' | 'deny';

/** What a new rule is to do. */
export interface RuleSketch {
  readonly event: ScaffoldEvent;
  readonly action: ScaffoldAction;
  /** What the agent reads. */
  readonly message?: string;
  /** The command it is about, with `*` for anything; for `bash`. */
  readonly command?: string;
  /** The files it is about; for `file`. */
  readonly path?: string;
  /** A ceiling; without one the rule does what its action says. */
  readonly mode?: string;
}

/** What tells the rule's case from others, and an example of each. */
interface Aim {
  readonly filter: readonly string[];
  readonly pattern?: string;
  readonly hit: string;
  readonly miss: string;
}

/** A rule file to start from: it works as it is, and its examples pass. Undefined when what it is about is everything. */
export function scaffoldRule(name: string, sketch: RuleSketch): string | undefined {
  const { event, action, message, mode } = sketch;
  const aim = aimOf(name, sketch);
  if (!aim) return undefined;
  const lines = [
    `name: ${quoteName(name)}`,
    ...(message === undefined ? ['summary: Say in one line what this rule is for'] : []),
    '# bash, file, prompt, stop, all, or an exact event such as tool.after.',
    `event: ${event}`,
    ...aim.filter,
    ...(aim.pattern === undefined
      ? []
      : ['# A regular expression, in either case. Write it without quotes.', `pattern: ${aim.pattern}`]),
    '# note tells the agent; ask asks the person; deny stops it.',
    `action: ${action}`,
    ...(mode === undefined ? [] : [...aboutMode(mode), `mode: ${mode}`]),
    ...(action === 'note'
      ? [
          '# How often it may speak: once per session, turn, day, path; cooldown 10m; every 5.',
          'throttle: once per turn',
        ]
      : []),
    '# `fairlead rules test` runs these. Under pass belongs at least one near miss: same event and tool, but fine.',
    'examples:',
    `  ${action}:`,
    `    - ${aim.hit}`,
    '  pass:',
    `    - ${aim.miss}`,
  ];
  return `---\n${lines.join('\n')}\n---\n${message ?? usualMessage(name, sketch)}\n`;
}

function aboutMode(mode: string): readonly string[] {
  return mode === 'shadow'
    ? ['# It records what it would do and says nothing. Take this line out to put it in force.']
    : [];
}

function aimOf(name: string, { event, command, path }: RuleSketch): Aim | undefined {
  if (command !== undefined) return aimAtCommand(command);
  if (path !== undefined) return aimAtPath(path);
  return aimAtWords(subjectOf(name), event);
}

function aimAtCommand(command: string): Aim | undefined {
  const pattern = commandPattern(command);
  const { test } = compilePattern(pattern, { ignoreCase: true });
  const plain = command.replaceAll(/\*+/g, '').replaceAll('?', 'x').trim();
  const filled = command.replaceAll(/\*+/g, 'x').replaceAll('?', 'x').trim();
  const hit = [plain, filled].find((each) => test(each));
  const miss = [`git commit -m "no ${plain}"`, `echo ${plain}`, `${plain.split(/\s/)[0]} --version`, 'git status'].find(
    (each) => !test(each),
  );
  const word = wordOfCommand(command);
  if (hit === undefined || miss === undefined) return undefined;
  const filter = ['# One of these words must occur before the pattern is looked at.', `words: [${quote(word ?? '')}]`];
  return {
    filter: word === undefined ? [] : filter,
    pattern,
    hit: quote(hit),
    miss: quote(miss),
  };
}

function aimAtPath(path: string): Aim | undefined {
  const glob = compileGlob(path);
  const isHit = (file: string) => matchGlob(glob, file.split('/'), ['', 'project', ...file.split('/')]);
  const alternative = path.replaceAll(/\{([^,{}]*)[^{}]*\}/g, '$1').replaceAll(/\[(.)[^\]]*\]/g, '$1');
  const hit = [
    alternative.replaceAll('**/', '').replaceAll('**', 'file').replaceAll('*', 'file').replaceAll('?', 'x'),
    alternative.replaceAll('**', 'some').replaceAll('*', 'file').replaceAll('?', 'x'),
  ].find(isHit);
  const miss = ['src/app.ts', 'README.md', 'docs/other.txt'].find((file) => !isHit(file));
  if (hit === undefined || miss === undefined) return undefined;
  return {
    filter: [
      '# Globs count from the project root; a glob without a slash matches any file name.',
      `paths: [${quote(path)}]`,
    ],
    hit: `{ path: ${quote(hit)}, new: 'x' }`,
    miss: `{ path: ${quote(miss)}, new: 'x' }`,
  };
}

/** For a rule of which only the name is known: it is about the words of the name. */
function aimAtWords(words: readonly string[], event: ScaffoldEvent): Aim {
  const [first = '', ...others] = words;
  const text = words.join(event === 'file' ? '.' : ' ');
  const between = event === 'file' ? String.raw`\W+` : String.raw`\s+`;
  const about = {
    bash: { hit: `${text} --all`, miss: `git log --grep=${words.join('-')}ed` },
    file: { hit: `${text}()`, miss: `x${words.join('')}()` },
    prompt: { hit: `please ${text} this`, miss: `what are ${words.join('-')}s for?` },
    stop: { hit: `Done: ${text}.`, miss: 'Done, and nothing else.' },
  }[event];
  return {
    filter: [
      ...(event === 'file'
        ? [
            '# Globs count from the project root; a glob without a slash matches any file name.',
            "# paths: ['src/**/*.ts']",
          ]
        : []),
      '# One of these words must occur, in either case, before the pattern is looked at.',
      `words: [${quote(first)}]`,
    ],
    pattern: [String.raw`\b${first}`, ...others].join(between) + String.raw`\b`,
    hit: quote(about.hit),
    miss: quote(about.miss),
  };
}

/** Names say what is not to be: `no-deploy` is about deploy. */
const LEADING =
  /^(?:no|not|never|dont|do-not|block|deny|stop|forbid|avoid|ask|ask-before|confirm|warn|note|before|use)-(?=.)/i;

function subjectOf(name: string): readonly string[] {
  const words = name
    .replace(LEADING, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  return words.length === 0 ? ['something'] : words;
}

/** What the name of a rule sounds like. */
export function actionOfName(name: string): ScaffoldAction {
  if (/^(ask|confirm)-/i.test(name)) return 'ask';
  return /^(no|not|never|dont|do-not|block|deny|stop|forbid)-/i.test(name) ? 'deny' : 'note';
}

function usualMessage(name: string, { event, command, path }: RuleSketch): string {
  const what = command ?? path ?? subjectOf(name).join(' ');
  const seen = { bash: '`{command}`', file: '`{path}`', prompt: 'This prompt', stop: 'This answer' }[event];
  return `${seen} is about ${what}.\n\nSay here what to do instead.`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A name that YAML would take for a number or a word of its own. */
function quoteName(name: string): string {
  return /^[A-Za-z][\w-]*$/.test(name) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(name) ? name : quote(name);
}
