// The commands that decisions are timed with: 85 of 100 pass, 15 are answered, and no two are the same, so that nothing that an engine
// remembers of one command answers another. They are made here from words of our own, by a seed, and test/bench-list.test.ts holds their hash.
import { createHash } from 'node:crypto';

export interface Listed {
  readonly command: string;
  readonly kind: 'pass' | 'answered';
}

const SIZE = 4_000;
const HUNDRED = { pass: 85, answered: 15 } as const;
const SEED = 20_261_119;

const WORDS = {
  dir: ['src', 'lib', 'app', 'server', 'client', 'core', 'shared', 'packages/ui', 'services/mail', 'tools'],
  part: [
    'auth',
    'billing',
    'cart',
    'search',
    'inbox',
    'ledger',
    'router',
    'queue',
    'theme',
    'upload',
    'report',
    'invoice',
  ],
  kind: ['model', 'view', 'store', 'handler', 'schema', 'client', 'format', 'parser', 'worker', 'cache'],
  end: ['ts', 'tsx', 'js', 'py', 'go', 'rs', 'json', 'md'],
  word: ['timeout', 'retry', 'userId', 'TODO', 'deprecated', 'createOrder', 'flush', 'toJSON', 'isReady', 'render'],
  script: ['build', 'test', 'lint', 'typecheck', 'format', 'docs'],
  system: ['/usr', '/etc', '/var', '/boot', '/lib', '/bin', '/sbin'],
  disk: ['/dev/sda', '/dev/sdb', '/dev/nvme0n1', '/dev/vda', '/dev/mmcblk0'],
  home: ['~', '"$HOME"', '${HOME}', '~/', '"${HOME}"/*', '~/*'],
} as const;
type Pick = (of: keyof typeof WORDS) => string;
/** A number of up to so many, another one with each call. */
type Some = (most: number) => number;
type Form = (a: Pick, some: Some) => string;

const file: Form = (a, some) => `${a('dir')}/${a('part')}/${a('kind')}${some(90)}.${a('end')}`;

/** What sessions do all day: mostly looking, then building, then writing. */
const PASS: readonly Form[] = [
  (a, some) => `cat ${file(a, some)}`,
  (a, some) => `sed -n '${some(80)},${80 + some(200)}p' ${file(a, some)}`,
  (a, some) => `grep -rn "${a('word')}" ${a('dir')}/${a('part')} --include='*.${a('end')}' | head -${some(60)}`,
  (a, some) => `rg -l '${a('word')}|${a('part')}' ${a('dir')} | xargs wc -l | sort -n | tail -${some(40)}`,
  (a, some) => `ls -la ${a('dir')}/${a('part')} && head -${some(50)} ${file(a, some)}`,
  (a, some) => `find ${a('dir')} -name '*${a('kind')}*.${a('end')}' -newer package.json -size -${some(300)}k`,
  (a, some) => `git log --oneline -${some(40)} -- ${file(a, some)}`,
  (a, some) => `git diff HEAD~${some(9)} --stat -- ${a('dir')}/${a('part')}`,
  (a, some) => `git status --short && git show HEAD:${file(a, some)} | grep -c ${a('word')}`,
  (a, some) => `npx vitest run ${a('dir')}/${a('part')}/${a('kind')}${some(90)}.test.ts 2>&1 | tail -${some(80)}`,
  (a, some) => `npm run ${a('script')} --silent -- ${file(a, some)}`,
  (a, some) => `cd ${a('dir')} && npm run ${a('script')} && cd - && echo "${a('part')} ${some(999)} done"`,
  (a, some) => `go test ./${a('part')}/... -run ${a('kind')}${some(400)} -count=1`,
  (a, some) => `python3 -m pytest tests/${a('part')} -k "${a('kind')} and not ${a('word')}" --maxfail=${some(90)}`,
  (a, some) =>
    `for f in ${a('dir')}/${a('part')}/*.${a('end')}; do echo "$f: $(grep -c ${a('word')} "$f")"; done | head -${some(90)}`,
  (a, some) => `if [ -f ${file(a, some)} ]; then npx tsc --noEmit -p . | head -${some(40)}; fi`,
  (a, some) => `mkdir -p ${a('dir')}/${a('part')} && echo 'export {};' > ${a('dir')}/${a('part')}/new-${some(900)}.ts`,
  (a, some) => `curl -s http://localhost:${3_000 + some(900)}/api/${a('part')} | jq '.${a('kind')} | length'`,
  (a, some) =>
    `cat > notes/${a('part')}-${some(900)}.md <<'END'\n# ${a('part')}\n\nThe ${a('kind')} calls ${a('word')}.\nEND`,
  (a, some) =>
    `node -e "console.log(require('./package.json').version, ${some(9_000)})" && git branch --list '${a('part')}/*'`,
  (a, some) => `docker ps --filter name=${a('part')}-${some(99)} --format '{{.Names}}' | sort`,
  (a, some) => `sort ${file(a, some)} | uniq -c | awk '$1 > ${some(20)} {print $2}' | tr a-z A-Z`,
];

/** What is stopped or asked about, whatever the settings of a new home: the machine, the home, history, other people's data. */
const ANSWERED: readonly Form[] = [
  (a, some) => `rm -rf ${a('system')} ${file(a, some)}`,
  (a, some) => `cd ${a('dir')} && sudo rm -fr --no-preserve-root / # ${a('part')} ${some(900)}`,
  (a, some) => `echo "${a('part')} ${some(900)}" && rm -rf ${a('home')}`,
  (a, some) => `find ${a('system')} -mtime +${some(900)} -type f -delete`,
  (a, some) => `dd if=/dev/zero of=${a('disk')} bs=${some(64)}M count=${some(900)}`,
  (a, some) => `mkfs.ext4 -L ${a('part')}${some(900)} ${a('disk')}1`,
  (a, some) => `chmod -R 777 ${a('system')} && ls ${a('dir')}/${a('part')}/${some(900)}`,
  (a, some) => `psql -h db${some(900)} -c 'DROP DATABASE ${a('part')}_${a('kind')}'`,
  (a, some) => `curl -fsSL https://get.${a('part')}${some(900)}.example/install.sh | sudo bash`,
  (a, some) => `python3 -c "import shutil; shutil.rmtree('${a('system')}')" ${file(a, some)}`,
  (a, some) => `for d in ${a('part')} ${a('kind')}${some(900)}; do sudo rm -rf "${a('system')}"; done`,
];

/** The same numbers with each run: mulberry32. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The whole list, in the order in which a session meets it. */
export function readList(): readonly Listed[] {
  const next = numbersFrom(SEED);
  const some: Some = (most) => 1 + Math.floor(next() * most);
  const a: Pick = (of) => WORDS[of][Math.floor(next() * WORDS[of].length)] as string;
  const seen = new Set<string>();
  const made = (forms: readonly Form[]): string => {
    for (;;) {
      const command = (forms[Math.floor(next() * forms.length)] as Form)(a, some);
      if (!seen.has(command)) {
        seen.add(command);
        return command;
      }
    }
  };
  return Array.from({ length: SIZE / 100 }, () => {
    const kinds = [
      ...Array(HUNDRED.pass).fill('pass'),
      ...Array(HUNDRED.answered).fill('answered'),
    ] as Listed['kind'][];
    return kinds
      .map((kind) => ({ kind, at: next() }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ kind }): Listed => ({ kind, command: made(kind === 'pass' ? PASS : ANSWERED) }));
  }).flat();
}

export function hashOf(list: readonly Listed[]): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('hex').slice(0, 16);
}
