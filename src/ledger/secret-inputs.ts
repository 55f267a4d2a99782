/** What a simple command says when it takes a secret from its input. */
const TAKES = new RegExp(
  [
    // Options that say so, whatever the program.
    String.raw`-stdin\b|--with-token\b|--passphrase-fd\b|-pass(?:in|out|word)?[ =]stdin\b|--key-file[ =]-|=/dev/stdin`,
    // Programs that take nothing else, or hand it to one that does.
    String.raw`(?:^|[\s/])(?:ssh-add|chpasswd|passwd|smbpasswd|kinit|cryptsetup|keyctl|secret-tool|sshpass|htpasswd|mysql_config_editor|bw|op|age|sops|su)(?:\s|$)`,
    String.raw`(?:^|[\s/])sudo\s.*(?:-[A-Za-z]*S\b|--stdin\b)|(?:^|[\s/])pass\s+(?:insert|edit)|gpg2?\s.*--import|rclone\s+obscure`,
    // Verbs that store one, or sign somebody in with it.
    String.raw`\s(?:secrets?|login|signin|credential|keyvault)(?:\s|:|$)|vault\s+(?:write|kv)|\senv\s+add\s`,
    String.raw`(?:^|[\s;])read\s.*(?:-\w*s\b|pass|token|secret|pin\b|key)`,
  ].join('|'),
  'i',
);

/** A text without any of these has no such command. */
export const INPUT_HINTS: readonly string[] = [
  ...[
    '-stdin',
    '--with-token',
    'passphrase-fd',
    'ssh-add',
    'passwd',
    'kinit',
    'cryptsetup',
    'keyctl',
    'secret',
    'sudo ',
  ],
  ...[
    'sshpass',
    'mysql_config_editor',
    'bw ',
    'op ',
    'age ',
    'sops',
    'su ',
    'pass ',
    'gpg',
    'obscure',
    'login',
    'signin',
  ],
  ...['credential', 'keyvault', 'vault', 'env add', 'key-file', '/dev/stdin', 'read ', 'pass stdin', 'passin stdin'],
];

const SPACE = /[ \t]+|\\\n/y;
const WORD = /(?:\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\$\((?:[^()\\]|\\[\s\S]){0,4096}\)|[^\s;|&<>\\])+/y;
const OPERATOR = /<<<|<<-?|[<>]+&?|\|&|\|\||&&|[;|&\n]|[\s\S]/y;
const QUOTED = /'[^']*'|"(?:[^"\\]|\\[\s\S])*"/g;
const MOST_TOKENS = 4_000;
const DEEPEST = 3;
/** Of a simple command; what it is shows early. */
const LONGEST = 2_000;

interface Span {
  readonly from: number;
  readonly to: number;
}

interface Piece extends Span {
  /** What it is given by `<<<`, and where the text of each `<<` lies. */
  readonly inputs: readonly Span[];
  /** What `echo` and `printf` print. */
  readonly printed: readonly Span[];
  /** The next one reads what it writes. */
  readonly isPiped: boolean;
}

/** Takes out what programs read that take a secret from their input: here-strings, heredocs, and what is piped to them. */
export function redactInputs(given: string, depth = 0): string {
  if (!mayFeed(given)) return given;
  // Commands for another shell.
  const text =
    depth >= DEEPEST
      ? given
      : given.replaceAll(QUOTED, (all) =>
          mayFeed(all) ? all[0] + redactInputs(all.slice(1, -1), depth + 1) + all.at(-1) : all,
        );
  const cuts: Span[] = [];
  let before: Span[] = [];
  for (const piece of piecesOf(text)) {
    const read = [...before, ...piece.inputs];
    if (read.length > 0 && TAKES.test(text.slice(piece.from, Math.min(piece.to, piece.from + LONGEST))))
      cuts.push(...read);
    before = piece.isPiped ? [...read, ...piece.printed] : [];
  }
  let clean = '';
  let done = 0;
  for (const { from, to } of cuts.toSorted((a, b) => a.from - b.from)) {
    const value = text.slice(from, to);
    if (from < done || /^\[redacted|^["']?\$\{?\w+\}?["']?$|^\s*$/.test(value)) continue;
    clean += `${text.slice(done, from)}[redacted]`;
    done = to;
  }
  return done === 0 ? text : clean + text.slice(done);
}

function mayFeed(text: string): boolean {
  return text.includes('<<') || text.includes('|');
}

/** The simple commands of a text, read as a shell does as far as that takes no more than words. */
function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  const take = (pattern: RegExp, at: number): string => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0] ?? '';
  };
  let at = 0;
  let from = 0;
  let words: Span[] = [];
  let inputs: Span[] = [];
  let expects: '<<<' | '<<' | undefined;
  let waiting: { readonly end: string; readonly inputs: Span[] }[] = [];
  const finish = (isPiped: boolean): void => {
    pieces.push({ from, to: at, inputs, printed: printedBy(text, words), isPiped });
    [words, inputs, expects] = [[], [], undefined];
  };
  for (let count = 0; at < text.length && count < MOST_TOKENS; count += 1) {
    at += take(SPACE, at).length;
    const word = take(WORD, at);
    if (word !== '') {
      const span = { from: at, to: at + word.length };
      if (expects === '<<<') inputs.push(span);
      else if (expects === '<<') waiting.push({ end: word.replaceAll(/["'\\]/g, ''), inputs });
      else words.push(span);
      expects = undefined;
      at = span.to;
      continue;
    }
    const operator = take(OPERATOR, at);
    if (operator.startsWith('<') || operator.startsWith('>')) {
      expects = operator === '<<<' ? '<<<' : /^<<-?$/.test(operator) ? '<<' : undefined;
      at += operator.length;
    } else {
      finish(operator === '|' || operator === '|&');
      at += Math.max(1, operator.length);
      if (operator === '\n') {
        for (const { end, inputs: into } of waiting) {
          const close = endOfHeredoc(text, at, end);
          into.push({ from: at, to: close.from });
          at = close.to;
        }
        waiting = [];
      }
      from = at;
    }
  }
  finish(false);
  return pieces;
}

function endOfHeredoc(text: string, from: number, end: string): Span {
  for (let at = from; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const stop = newline < 0 ? text.length : newline;
    if (text.slice(at, stop).trim() === end) return { from: Math.max(from, at - 1), to: stop };
    at = stop + 1;
  }
  return { from: text.length, to: text.length };
}

/** Its words, but for options in front. */
function printedBy(text: string, words: readonly Span[]): readonly Span[] {
  const of = ({ from, to }: Span) => text.slice(from, to);
  const start = words.findIndex((word) => /^(?:\S*\/)?(?:echo|printf)$/.test(of(word)));
  const given = start < 0 ? [] : words.slice(start + 1);
  const first = given.findIndex((word) => !/^-[a-zA-Z]{1,3}$/.test(of(word)));
  const [head, last] = [given[first], given.at(-1)];
  return head && last ? [{ from: head.from, to: last.to }] : [];
}
