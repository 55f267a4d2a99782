import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countOf, SEED } from '../../../test/cases.ts';
import { judge } from '../guard.fixture.ts';

const DENIED = 'deny guard/self-protection';
const ASKED = 'ask guard/self-protection';
const USER_SETTINGS = '/home/dev/.claude/settings.json';
const WIRED = '{"hooks":{"PreToolUse":[{"hooks":[{"command":"/opt/bin/fairlead hook"}]}]}}';

/** Ways to give a variable a value that what is started later may have. */
const SETS: readonly ((name: string) => string)[] = [
  (name) => `${name}=1`,
  (name) => `set -a; ${name}=1`,
  (name) => `export ${name}=1`,
  (name) => `declare -x ${name}=1`,
  (name) => `read -r ${name} <<< 1`,
  (name) => `: "\${${name}:=1}"`,
  (name) => `printf -v ${name} 1`,
  (name) => `for ${name} in 1; do true; done`,
  (name) => `((${name}=1))`,
  (name) => `mapfile -t ${name} < x`,
  (name) => `bash -c '${name}=1'`,
  (name) => `tmux set-environment -g ${name} 1`,
  (name) => `npx cross-env ${name}=1 npm test`,
  (name) => `systemd-run --user --setenv=${name}=1 true`,
];

it('a variable that steers the hooks is set in no way', async () => {
  const text = fc.tuple(fc.constantFrom(...SETS), fc.constantFrom('', '; claude -p x', ' && npm test'));
  await fc.assert(
    fc.asyncProperty(text, async ([set, after]) => {
      expect(await judge(set('FAIRLEAD_DISABLED') + after)).toBe(DENIED);
      expect([DENIED, ASKED]).not.toContain(await judge(set('FAIRLEAD_DEBUG') + after));
    }),
    { numRuns: countOf(500), seed: SEED },
  );
});

it.each([
  'env -i claude -p x',
  'env -u X -i PATH="$PATH" claude -p x',
  'env - claude',
  'PATH=/nowhere claude -p x',
  'set -a; CLAUDE_CONFIG_DIR=/tmp/x; claude -p x',
  'claude --allowedTools "*" -p x',
  'claude --allowedTools Edit,Bash -p x',
  'claude -p x --allowed-tools Read Bash',
  'claude --allowed-tools=Bash -p x',
  'sudo claude -p x',
  'codex --dangerously-bypass-approvals-and-sandbox x',
  'codex exec -a never x',
  'codex exec --disable hooks x',
  'codex -c features.hooks=false exec x',
  'codex -c "$SETTING" exec x',
  'codex features disable hooks',
  'CODEX_HOME=/tmp/x codex exec x',
  'sudo -u other claude -p x',
])('an agent that is less held than this one: %s', async (command) => {
  expect(await judge(command, { files: { [USER_SETTINGS]: WIRED } })).toBe(ASKED);
});

it.each([
  'claude --allowedTools "Bash(git log:*)" -p x',
  'claude --allowedTools Read,Edit -p x',
  'env claude -p x',
  'codex exec -c model=o3 x',
  'codex login',
  'PATH=$HOME/bin:$PATH claude -p x',
  'env -u X claude -p hello -i',
  'unset FAIRLEAD_DISABLED',
  'FAIRLEAD_HOME=/tmp/x; fairlead doctor',
  'HOME=/tmp/x npm test',
])('passes: %s', async (command) => {
  expect(await judge(command)).toBe('pass');
});

it.each(['cd /tmp && claude -p x', '(cd .. && claude)', 'cd "$(mktemp -d)" && claude -p x'])(
  'elsewhere an agent has the hooks of the person alone: %s',
  async (command) => {
    expect(await judge(command)).toBe(ASKED);
    expect(await judge(command, { files: { [USER_SETTINGS]: WIRED } })).toBe('pass');
    expect(await judge(command.replace(/claude.*?(?=\)|$)/, 'claude mcp list'))).toBe('pass');
  },
);

it('below the workspace it has those of the project', async () => {
  expect(await judge('cd src && claude -p x')).toBe('pass');
});
