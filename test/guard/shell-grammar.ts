/** A seeded source of whole numbers below a limit, the same on every machine. */
export type Roll = (limit: number) => number;

export function rollFrom(seed: number): Roll {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

export function pick<T>(roll: Roll, all: readonly T[]): T {
  return all[roll(all.length)] as T;
}

const PROGRAMS = (
  'rm git curl wget bash sh zsh eval source . exec xargs find env sudo nohup timeout nice python3 node perl ruby awk sed ' +
  'dd mkfs.ext4 chmod chown kill tar rsync scp ssh nc socat cat echo printf tee cp mv ln truncate docker kubectl aws ' +
  'terraform psql mysql redis-cli npm cargo gh cd pushd popd export unset declare local readonly read set shopt alias ' +
  'trap parallel busybox openssl base64 xxd command builtin time watch flock mktemp test [ [[ true : fairlead'
).split(' ');
const ARGUMENTS = [
  ...'-rf -f -r -- -c -e -n -C . .. / ~ * ./* /etc /dev/sda .git .env ~/.ssh/id_rsa --force --hard +main :main'.split(
    ' ',
  ),
  ...'origin main reset push clean -fdx checkout HEAD~1 --help -I{} {} {} + \\; -exec -delete -name *.log | @- -d @.env'.split(
    ' ',
  ),
  ...'https://evil.example/x -o - of=/dev/sda if=/dev/zero a=b a+=b A[1]=2 -n1 -0 !! !$ \\ # #x = == -'.split(' '),
  'DROP TABLE users',
  'x'.repeat(300),
  '../'.repeat(40),
  'é\u202e\ud83d',
  '\ud83d',
  '\u0000',
  '\u0007\u001b[31m',
  '\r',
];
const VARIABLES = [
  ...'$X $HOME ${X} ${X:-/} ${X:=rm} ${X%x} ${X##*/} ${X/a/b} ${X^^} ${#X} ${!X} ${X[@]} ${X:1:2} $1 $@ $* $? $$ $! $-'.split(
    ' ',
  ),
  ..."${ ${} ${X ${X:-${Y:-${Z}}} ${X:?} $'\\x72\\x6d' $\"x\" $'\\u{0}' $(( $((1+1)) $((X++)) $((1/0)) $[1+1]".split(
    ' ',
  ),
];
const OPERATORS = ['; ', ' && ', ' || ', ' | ', ' |& ', ' & ', '\n', ';;', ' ; ; ', '\\\n', ' &&& ', '|||'];
const REDIRECTS = [
  ...'> >> < <> >| &> &>> 2> 2>&1 >&2 <& {fd}> 3< 1>&- <<<'.split(' ').map((operator) => ` ${operator} `),
  ' > /dev/null',
  ' 2>/dev/null',
  ' > /dev/tcp/evil.example/1',
];
/** What is open is often never closed. */
const STRAYS = [
  '"',
  "'",
  '`',
  '$(',
  ')',
  '(',
  '{',
  '}',
  '${',
  '$((',
  '))',
  '<(',
  '>(',
  '<<EOF',
  '<<-',
  '[[',
  ']]',
  'if',
  'fi',
  'do',
  'done',
  'case x in',
  'esac',
  'function',
  '\\',
];

type Make = (roll: Roll, depth: number) => string;

const WORDS: readonly Make[] = [
  (roll) => pick(roll, ARGUMENTS),
  (roll) => pick(roll, ARGUMENTS),
  (roll) => pick(roll, PROGRAMS),
  (roll) => pick(roll, VARIABLES),
  (roll, depth) => `"${words(roll, depth)}"`,
  (roll, depth) => `'${words(roll, depth)}'`,
  (roll, depth) => `$(${list(roll, depth)})`,
  (roll, depth) => `\`${list(roll, depth)}\``,
  (roll, depth) => `<(${list(roll, depth)})`,
  (roll, depth) => `{${word(roll, depth)},${word(roll, depth)}}`,
  (roll) => `{${roll(99)}..${roll(99_999)}}`,
  (roll, depth) => `$((${roll(9)} + ${word(roll, depth)}))`,
  (roll, depth) => word(roll, depth) + word(roll, depth),
  (roll) => pick(roll, STRAYS),
];

const COMMANDS: readonly Make[] = [
  simple,
  simple,
  simple,
  (roll, depth) => `${pick(roll, ['bash', 'sh', 'zsh', 'sudo sh'])} -c '${list(roll, depth).replaceAll("'", '')}'`,
  (roll, depth) =>
    `${pick(roll, ['python3 -c', 'node -e', 'perl -e', 'ruby -e', 'eval', 'xargs'])} "${list(roll, depth)}"`,
  (roll, depth) => `(${list(roll, depth)})`,
  (roll, depth) => `{ ${list(roll, depth)}; }`,
  (roll, depth) => `if ${list(roll, depth)}; then ${list(roll, depth)}; else ${list(roll, depth)}; fi`,
  (roll, depth) => `for x in ${words(roll, depth)}; do ${list(roll, depth)}; done`,
  (roll, depth) => `while ${list(roll, depth)}; do ${list(roll, depth)}; done`,
  (roll, depth) => `case ${word(roll, depth)} in ${word(roll, depth)}) ${list(roll, depth)};; *) ;; esac`,
  (roll, depth) => `f${roll(3)}() { ${list(roll, depth)}; }; f${roll(3)} ${words(roll, depth)}`,
  (roll, depth) => `X=${word(roll, depth)}; ${simple(roll, depth)}`,
  (roll, depth) =>
    `${simple(roll, depth)} <<${pick(roll, ['EOF', "'EOF'", '-EOF', 'E"O"F'])}\n${list(roll, depth)}\n${pick(roll, ['EOF', '\tEOF', 'EO', ''])}\n`,
  (roll, depth) => `[[ ${word(roll, depth)} =~ ${word(roll, depth)} ]] && ${simple(roll, depth)}`,
  (roll) => pick(roll, STRAYS) + pick(roll, STRAYS),
];

function word(roll: Roll, depth: number): string {
  return depth <= 0 ? pick(roll, ARGUMENTS) : pick(roll, WORDS)(roll, depth - 1);
}

function words(roll: Roll, depth: number): string {
  return Array.from({ length: roll(4) }, () => word(roll, depth)).join(' ');
}

function simple(roll: Roll, depth: number): string {
  const redirect = roll(4) === 0 ? pick(roll, REDIRECTS) + word(roll, depth) : '';
  return `${roll(8) === 0 ? `X=${word(roll, depth)} ` : ''}${pick(roll, PROGRAMS)} ${words(roll, depth)}${redirect}`;
}

function list(roll: Roll, depth: number): string {
  const first = depth <= 0 ? simple(roll, 0) : pick(roll, COMMANDS)(roll, depth - 1);
  return roll(3) === 0 ? `${first}${pick(roll, OPERATORS)}${simple(roll, depth - 1)}` : first;
}

/** A command that a shell might accept, or nearly. */
export function makeCommand(roll: Roll): string {
  return list(roll, 1 + roll(4));
}

/** The same command with a few places damaged. */
export function damage(roll: Roll, command: string): string {
  let text = command;
  for (let times = 1 + roll(3); times > 0; times -= 1) {
    const at = roll(text.length + 1);
    const to = Math.min(text.length, at + roll(6));
    const put = pick(roll, [
      (): string => '',
      () => pick(roll, STRAYS),
      () => pick(roll, OPERATORS),
      () => pick(roll, VARIABLES),
      () => text.slice(at, to).repeat(2),
      () => String.fromCharCode(roll(256)),
    ])();
    text = text.slice(0, at) + put + text.slice(to);
  }
  return text;
}
