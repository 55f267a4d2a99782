import type { Option } from './command.ts';

/** One verb, for a shell that completes it. */
export interface CompletedVerb {
  readonly verb: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, Option>>;
}

/** What may stand where: after these words, one of those. */
interface Step {
  /** The words before it: none, a group, or a whole verb. */
  readonly after: string;
  readonly words: readonly (readonly [word: string, about: string])[];
}

/** Choices of options, such as `--scope user|project`. */
interface Choice {
  readonly option: string;
  readonly verb: string;
  readonly words: readonly string[];
}

function stepsOf(verbs: readonly CompletedVerb[]): readonly Step[] {
  const firsts = new Map<string, string>();
  const groups = new Map<string, [string, string][]>();
  for (const { verb, summary } of verbs) {
    const [first = '', second] = verb.split(' ');
    if (second === undefined) firsts.set(first, summary);
    else groups.set(first, [...(groups.get(first) ?? []), [second, summary]]);
  }
  for (const [group, words] of groups)
    if (!firsts.has(group)) firsts.set(group, words.map(([word]) => word).join(', '));
  const optionsOf = (name: string) =>
    Object.entries(verbs.find(({ verb }) => verb === name)?.options ?? {}).map(
      ([option, { help }]) => [`--${option}`, help] as const,
    );
  return [
    { after: '', words: [...firsts] },
    // A verb may be a group as well.
    ...[...groups].map(([after, words]) => ({ after, words: [...words, ...optionsOf(after)] })),
    ...verbs.filter(({ verb }) => !groups.has(verb)).map(({ verb }) => ({ after: verb, words: optionsOf(verb) })),
  ];
}

function choicesOf(verbs: readonly CompletedVerb[]): readonly Choice[] {
  return verbs.flatMap(({ verb, options }) =>
    Object.entries(options).flatMap(([name, { value = '' }]) =>
      value.includes('|') ? [{ verb, option: `--${name}`, words: value.split('|') }] : [],
    ),
  );
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** `key` is the words before the one that is typed, as far as they name a verb. */
const bashCase = (after: string, words: readonly string[]): string =>
  `    ${quoted(after)}) words=${quoted(words.join(' '))} ;;`;

function bash(verbs: readonly CompletedVerb[]): string {
  const steps = stepsOf(verbs);
  return `_fairlead() {
  local typed=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} key='' words=''
  (( COMP_CWORD > 1 )) && key=\${COMP_WORDS[1]}
  case "$key" in
    ${groupsOf(steps).join('|')}) (( COMP_CWORD > 2 )) && key="$key \${COMP_WORDS[2]}" ;;
  esac
  case "$key $before" in
${choicesOf(verbs)
  .map(({ verb, option, words }) => bashCase(`${verb} ${option}`, words))
  .join('\n')}
    *) case "$key" in
${steps
  .map(({ after, words }) =>
    bashCase(
      after,
      words.map(([word]) => word),
    ),
  )
  .join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$typed"))
}
complete -o default -F _fairlead fairlead
`;
}

function groupsOf(steps: readonly Step[]): readonly string[] {
  const [first] = steps;
  const verbs = new Set(
    steps.map(({ after }) => after.split(' ')).flatMap(([group, word]) => (word === undefined ? [] : [group])),
  );
  return (first?.words ?? []).map(([word]) => word).filter((word) => verbs.has(word));
}

function zsh(verbs: readonly CompletedVerb[]): string {
  const steps = stepsOf(verbs);
  const cases = steps.map(
    ({ after, words }) =>
      `    ${quoted(after)}) found=(${words.map(([word, about]) => quoted(`${word}:${about}`)).join(' ')}) ;;`,
  );
  return `#compdef fairlead
_fairlead() {
  local key='' ; local -a found
  (( CURRENT > 2 )) && key=$words[2]
  case $key in
    ${groupsOf(steps).join('|')}) (( CURRENT > 3 )) && key="$key $words[3]" ;;
  esac
  case "$key $words[CURRENT-1]" in
${choicesOf(verbs)
  .map(({ verb, option, words }) => `    ${quoted(`${verb} ${option}`)}) compadd ${words.join(' ')}; return ;;`)
  .join('\n')}
  esac
  case $key in
${cases.join('\n')}
  esac
  _describe fairlead found || _files
}
compdef _fairlead fairlead
`;
}

function fish(verbs: readonly CompletedVerb[]): string {
  const text = (words: string) => `'${words.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
  const seen = (words: string) =>
    words
      .split(' ')
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join('; and ');
  const lines = stepsOf(verbs).flatMap(({ after, words }) => {
    const isOptions = words.every(([word]) => word.startsWith('--'));
    const names = words.map(([word]) => word).join(' ');
    const when =
      after === ''
        ? '__fish_use_subcommand'
        : isOptions
          ? seen(after)
          : `${seen(after)}; and not __fish_seen_subcommand_from ${names}`;
    return words.map(([word, about]) => {
      const choices = choicesOf(verbs).find(({ verb, option }) => verb === after && option === word)?.words;
      const what = isOptions ? `-l ${word.slice(2)}${choices ? ` -xa ${text(choices.join(' '))}` : ''}` : `-fa ${word}`;
      return `complete -c fairlead -n ${text(when)} ${what} -d ${text(about)}`;
    });
  });
  return `${lines.join('\n')}\n`;
}

export const COMPLETION_SCRIPTS = { bash, zsh, fish } as const;
