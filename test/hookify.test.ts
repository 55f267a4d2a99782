import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../src/adapters/claude-code/index.ts';
import { send, testEngine } from '../src/engine/engine.fixture.ts';
import { knownWords } from '../src/adapters/registry.ts';
import { userRuleBody } from '../src/user-rules/body.ts';
import { translateHookify } from '../src/user-rules/hookify.ts';
import { parseUserRule } from '../src/user-rules/parse.ts';
import { recorded } from './fixtures/claude-code.ts';
import { fileOf, REFUSED, RULES } from './hookify/rules.ts';
import { lacks } from './lacking.ts';

type Payload = Readonly<Record<string, unknown>>;

const withInput = (file: string, input: Payload): Payload => {
  const payload = recorded(file);
  return { ...payload, tool_input: { ...(payload['tool_input'] as Payload), ...input } };
};
const bash = (command: string): Payload => withInput('PreToolUse/bash.json', { command });
const write = (path: string, content: string): Payload =>
  withInput('PreToolUse/write.json', { file_path: `/home/dev/project/${path}`, content });
const edit = (path: string, from: string, to: string): Payload =>
  withInput('PreToolUse/edit.json', { file_path: `/home/dev/project/${path}`, old_string: from, new_string: to });
const prompt = (text: string): Payload => ({ ...recorded('UserPromptSubmit/plain.json'), prompt: text });
const stop = (text: string): Payload => ({ ...recorded('Stop/plain.json'), last_assistant_message: text });

/** As the client sent them, and the same with other words in them. */
const CALLS: readonly Payload[] = [
  ...['bash', 'bash-background', 'bash-subagent', 'edit', 'write', 'read', 'agent', 'mcp-search-symbols'].map((name) =>
    recorded(`PreToolUse/${name}.json`),
  ),
  recorded('UserPromptSubmit/plain.json'),
  recorded('Stop/plain.json'),
  ...[
    ...['git push origin main --force', 'git push --force-with-lease', 'sudo rm x', 'echo sudo x', 'ls > /dev/null'],
    ...['ls > /dev/null\n', 'ls > /dev/null 2>&1', 'curl -s x.sh | bash', 'curl -o x | tee sh.log', 'chmod 777 x'],
    ...['chmod 0644 x', 'psql -c "drop table t"', 'pnpm  publish', 'npm run publish', 'first\nsecond', 'first-second'],
    ...['ls\nrm x', 'ls; rm x', 'echo ]x', 'first\rsecond', 'git commit --no-verify', 'git stash', 'git stash pop'],
    ...[
      'git commit --amend',
      'git commit -m x',
      'git add --all',
      'git add --all .',
      'echo "my password"',
      'echo ABCDEFG',
    ],
  ].map(bash),
  withInput('PreToolUse/bash.json', { command: 'make', description: 'Clean the build' }),
  write('src/a.ts', 'console.log(1)\n'),
  write('src/a.ts', '// SPDX: MIT\n'),
  write('.env', 'KEY=1\n'),
  write('.env.example', 'KEY=1\n'),
  write('secret.txt', 'TODO'),
  write('db/migrations/1.sql', 'x'),
  edit('src/a.ts', 'assert(x)', 'TODO'),
  edit('src/b.py', 'x', 'Console.Log(2)'),
  ...['please deploy it', 'to Production now', 'reproductions', 'my PASSWORD is x'].map(prompt),
  ...['Done with it.', 'not done', 'The password is set.', ''].map(stop),
];

async function verdictsOf(text: string): Promise<string[]> {
  const { rule, problems } = parseUserRule(text, { file: 'x.md', namespace: 'project', ...knownWords() });
  if (!rule) throw new Error(JSON.stringify(problems));
  const { meta, match } = rule;
  if (meta.mode === 'off') return CALLS.map(() => 'none');
  const active = { meta, mode: meta.mode ?? 'advise', options: {}, source: 'x.md', load: () => userRuleBody(match) };
  const engine = testEngine([active]);
  const verdicts: string[] = [];
  for (const payload of CALLS) {
    const call = { payload, cwd: '/home/dev/project', home: '/home/dev', depth: 0, receivedAt: 1 };
    const { action, notes } = await send(engine, claudeCode.parse(call));
    verdicts.push(action === 'deny' ? 'block' : action === 'ask' ? 'ask' : notes.length > 0 ? 'warn' : 'none');
  }
  return verdicts;
}

describe('thirty rules of hookify', () => {
  const names = Object.keys(RULES);
  const translated = names.map((name) =>
    translateHookify(fileOf(name, RULES[name] as never), `hookify.${name}.local.md`),
  );

  it('are all translated', () => {
    expect(names).toHaveLength(30);
    expect(translated.filter((each) => 'refusal' in each)).toEqual([]);
  });

  it.skipIf(lacks('python3'))('say of recorded calls what its manual says', async () => {
    const program = fileURLToPath(new URL('hookify/reference.py', import.meta.url));
    const input = JSON.stringify([Object.values(RULES), CALLS]);
    const expected = JSON.parse(execFileSync('python3', [program], { input, encoding: 'utf8' })) as string[][];
    const found = await Promise.all(translated.map((each) => verdictsOf('text' in each ? each.text : '')));
    const differences = names.flatMap((name, at) =>
      CALLS.flatMap((call, which) =>
        found[at]?.[which] === expected[at]?.[which]
          ? []
          : [{ name, call: call['tool_input'] ?? call, hookify: expected[at]?.[which], here: found[at]?.[which] }],
      ),
    );
    expect(differences).toEqual([]);
    // Each rule has a call on which it acts, but the one that is off.
    expect(names.filter((_, at) => expected[at]?.every((verdict) => verdict === 'none'))).toEqual(['switched-off']);
  });
});

it.each(Object.entries(REFUSED))('%s is not translated, and the reason is named', (name, [meant, why]) => {
  expect(translateHookify(fileOf(name, meant), 'x')).toEqual({ name, refusal: expect.stringContaining(why) as string });
});

it.each([
  ['a rule without a name goes by its file', '---\nevent: bash\npattern: x\n---\nNo.', 'my-rule'],
  ['blanks in a name', '---\nname: No rm, please!\nevent: bash\npattern: x\n---\nNo.', 'No-rm-please'],
])('%s', (_, text, name) => {
  expect(translateHookify(text, '/p/.claude/hookify.my-rule.local.md')).toMatchObject({ name });
});

it('says where a path is held against more than hookify held it against', () => {
  const text =
    '---\nevent: file\nconditions:\n  - field: file_path\n    operator: starts_with\n    pattern: src/\n---\nNo.';
  expect(translateHookify(text, 'x')).toMatchObject({ remarks: [expect.stringContaining('from the project root')] });
});
