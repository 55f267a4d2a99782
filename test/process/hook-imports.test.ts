import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recorded } from '../fixtures/claude-code.ts';
import { removeTree } from '../../src/platform/remove-tree.fixture.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BIN = join(ROOT, 'bin/fairlead');
const RULE = '---\nevent: bash\nwords: [deploy]\naction: deny\n---\nNo.\n';

/** What an event that no rule wants, in a workspace whose settings did not change, has no use for. */
const LATE = [
  /^src\/cli\//,
  /^src\/user-rules\//,
  /^src\/workspace\/config\/(compile|parse|schema)\.ts$/,
  /^src\/packs\/[^/]+\/(?!index\.generated\.ts$)/,
  // But for the names of secret files, whose content no record holds.
  /^src\/effects\/(?!paths\/(?:pattern|secret-names)\.ts$|words\/arguments\.ts$)/,
  /^src\/shell\/(?!command\.ts$)/,
  /^src\/relay\/(?!relay\.ts$|settings\.ts$)/,
  /^src\/platform\/(post|cipher|key-file)\.ts$/,
  /^node_modules\/(smol-toml|unbash|valibot|yaml)\//,
];

/** One of each kind, as the build names them. */
const FOR_LATER = [
  'src/cli/main.ts',
  'node_modules/yaml/dist/index.js',
  'node_modules/smol-toml/dist/index.js',
  'node_modules/valibot/dist/index.mjs',
  'src/user-rules/parse.ts',
  'src/workspace/config/compile.ts',
  'src/packs/basics/generated-file.ts',
  'src/effects/effects.ts',
  'src/relay/delivery.ts',
  'src/platform/post.ts',
  'node_modules/unbash/dist/parser.js',
];

const lateIn = (sources: Iterable<string>): string[] =>
  [...sources].filter((source) => LATE.some((pattern) => pattern.test(source))).sort();

interface Input {
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
}

interface Output {
  /** Of a file whose parts run when they are needed: the sources of each. */
  readonly parts?: Readonly<Record<string, readonly string[]>>;
}

let inputs: Readonly<Record<string, Input>>;
let outputs: Readonly<Record<string, Output>>;

beforeAll(() => {
  const meta = readFileSync(join(ROOT, 'dist/meta.json'), 'utf8');
  ({ inputs, outputs } = JSON.parse(meta) as { inputs: typeof inputs; outputs: typeof outputs });
});

const HOOK = 'src/hook.ts';
/** Loaded by a hook that answers by itself. */
const ONE_SHOT = 'src/assembly/one-shot.ts';

/** A source and what is loaded along with it; with `late`, also what it may load some day. */
function sourcesFrom(entry: string, late: boolean): Set<string> {
  const found = new Set([entry]);
  for (const source of found) {
    for (const { path, kind, external } of inputs[source]?.imports ?? []) {
      if (external !== true && (late || kind !== 'dynamic-import')) found.add(path);
    }
  }
  return found;
}

describe('the hook as it is built', () => {
  it('comes without the command line, the parsers and the bodies of rules', () => {
    const sources = sourcesFrom(ONE_SHOT, false);
    expect(sources).toContain('src/handle.ts');
    expect(sources).toContain('src/packs/basics/index.generated.ts');
    expect(lateIn(sources)).toEqual([]);
  });

  it('comes without an engine as long as a daemon may answer', () => {
    const sources = [...sourcesFrom(HOOK, false)];
    expect(sources).toContain('src/transport/meeting-place.ts');
    expect(sources.filter((source) => /^src\/(engine|decision|ledger|packs|handle)/.test(source))).toEqual([]);
  });

  it('can load all of them but the command line', () => {
    const late = lateIn(sourcesFrom(ONE_SHOT, true));
    expect(late).toEqual(expect.arrayContaining(FOR_LATER.filter((source) => !source.startsWith('src/cli/'))));
    expect(late.filter((source) => source.startsWith('src/cli/'))).toEqual([]);
  });

  it.each(FOR_LATER)('would be refused with %s', (source) => {
    const sources = sourcesFrom(ONE_SHOT, false).add(source);
    expect(lateIn(sources)).toEqual([source]);
    expect(lateIn(sourcesFrom('src/cli/main.ts', true))).toContain(source);
  });
});

interface Coverage {
  readonly result: readonly {
    readonly functions: readonly { functionName: string; ranges: readonly { count: number }[] }[];
  }[];
}

/** The sources that a process ran: in one file, each part that is loaded late is a function with the name of that part. */
function readCovered(dir: string): string[] {
  const { result } = JSON.parse(readFileSync(join(dir, readdirSync(dir)[0] ?? ''), 'utf8')) as Coverage;
  const ran = result.flatMap(({ functions }) =>
    functions.filter(({ ranges }) => ranges.some(({ count }) => count > 0)),
  );
  return ran.flatMap(({ functionName }) => outputs['dist/one-shot.cjs']?.parts?.[functionName] ?? []);
}

describe('a running hook', () => {
  let base: string;
  let project: string;
  let home: string;
  let first: string[];

  beforeAll(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-imports-')));
  });
  afterAll(() => removeTree(base));

  beforeEach(async () => {
    project = join(mkdtempSync(join(base, 'case-')), 'project');
    home = join(dirname(project), 'fairlead');
    mkdirSync(join(project, '.git'), { recursive: true });
    mkdirSync(join(home, 'config/rules'), { recursive: true });
    writeFileSync(join(home, 'config/config.yaml'), config(7));
    writeFileSync(join(home, 'config/rules/no-deploy.md'), RULE);
    // What was read within a moment of being written is read again.
    await new Promise((resolve) => setTimeout(resolve, 200));
    first = send('PreToolUse/read.json', { file_path: join(project, 'a.ts') }).loaded;
  });

  /** Without the guard, which wants to know of every call what it would do. */
  const config = (days: number, guard = 'off') => `packs:\n  guard: ${guard}\nledger:\n  days: ${days}\n`;

  /** Sends an event to a process of its own, and tells which sources were loaded after the start. */
  function send(file: string, tool_input: object): { reply: string; loaded: string[] } {
    const covered = mkdtempSync(join(base, 'covered-'));
    const payload = { ...recorded(file), cwd: project, tool_input, tool_use_id: `call-${Math.random()}` };
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [BIN, 'hook', '--agent', 'claude-code', '--direct', '--home', home],
      {
        cwd: project,
        env: { PATH: process.env['PATH'], HOME: base, NODE_V8_COVERAGE: covered },
        input: JSON.stringify(payload),
        encoding: 'utf8',
      },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return { reply: stdout, loaded: lateIn(readCovered(covered)) };
  }

  it('loads nothing more for an event that no rule wants', () => {
    expect(first).toContain('src/user-rules/parse.ts');
    expect(send('PreToolUse/read.json', { file_path: join(project, 'a.ts') })).toEqual({ reply: '', loaded: [] });
  });

  it('loads the body of the one rule that runs', () => {
    const { reply, loaded } = send('PreToolUse/write.json', { file_path: join(project, 'yarn.lock'), content: '' });
    expect(reply).toContain('"ask"');
    expect(loaded).toEqual(['src/packs/basics/generated-file.ts']);
  });

  it('loads what matches a rule without code, not what reads its file', () => {
    const { reply, loaded } = send('PreToolUse/bash.json', { command: 'make deploy' });
    expect(reply).toContain('"deny"');
    expect(loaded).toContain('src/user-rules/body.ts');
    expect(loaded).not.toContain('src/user-rules/parse.ts');
    expect(loaded.filter((source) => !source.startsWith('src/user-rules/'))).toEqual([]);
  });

  it('loads what reads a command for the guard, and no rule that has nothing to say to it', () => {
    writeFileSync(join(home, 'config/config.yaml'), config(7, 'on'));
    send('PreToolUse/bash.json', { command: 'ls' });
    const { reply, loaded } = send('PreToolUse/bash.json', { command: 'git status && npm test' });
    expect(reply).toBe('');
    expect(loaded).toContain('src/effects/effects.ts');
    expect(loaded.filter((source) => !/^(src\/(effects|shell)|node_modules\/unbash)\//.test(source))).toEqual([]);
    expect(send('PreToolUse/bash.json', { command: 'rm -rf ~' }).loaded).toContain('src/packs/guard/catastrophe.ts');
  });

  it('loads the parsers when the settings changed', () => {
    writeFileSync(join(home, 'config/config.yaml'), config(8));
    const { loaded } = send('PreToolUse/read.json', { file_path: join(project, 'a.ts') });
    expect(loaded).toContain('src/workspace/config/compile.ts');
    expect(loaded.some((source) => source.startsWith('node_modules/yaml/'))).toBe(true);
    expect(loaded.some((source) => source.startsWith('src/cli/') || source.startsWith('src/packs/'))).toBe(false);
  });
});
