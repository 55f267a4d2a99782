import { describe, expect, it } from 'vitest';
import { edit, guardEngine, judge, shell, write } from '../guard.fixture.ts';
import type { GuardWorld } from '../guard.fixture.ts';
import { ROOT, send, toolEvent } from '../../engine/engine.fixture.ts';
import { GATED_VERBS } from '../../event/gated-verbs.generated.ts';
import type { Event } from '../../event/event.ts';

const DENIED = 'deny guard/self-protection';
const ASKED = 'ask guard/self-protection';
const LOCAL = '.claude/settings.local.json';
const SHARED = '.claude/settings.json';

const entry = (event: string) => ({
  [event]: [{ hooks: [{ type: 'command', command: '/opt/bin/fairlead', args: ['hook', '--agent', 'claude-code'] }] }],
});
const WIRED = JSON.stringify({ model: 'opus', hooks: entry('PreToolUse') }, null, 2);
const files = { [LOCAL]: WIRED };

function notebook(path: string, text: string): Event {
  const full = `${ROOT}/${path}`;
  const edits = [{ path: full, operation: 'replace', new: text }] as const;
  return toolEvent({ kind: 'edit', name: 'notebook', paths: [full], edits, input: { path, text } });
}

function moveTool(source: string, destination: string): Event {
  return toolEvent({
    kind: 'mcp',
    name: 'mcp__fs__move_file',
    mcp: { server: 'fs', tool: 'move_file' },
    paths: [source, destination].map((path) => `${ROOT}/${path}`),
    input: { source, destination },
  });
}

describe('verbs behind the gate', () => {
  it.each(GATED_VERBS)('$verb', async ({ verb, asked }) => {
    expect(await judge(`fairlead ${verb} x`)).toBe(asked ? 'ask guard/careful' : DENIED);
  });

  it.each([
    'bin/fairlead off',
    '/opt/fairlead/bin/fairlead off --for 1h',
    'npx fairlead off',
    'npx --yes fairlead@latest off',
    'pnpm exec fairlead off',
    'node /opt/fairlead/dist/cli.js off',
    'bash -c "fairlead off"',
    'echo off | xargs fairlead',
    'env -u AGENT fairlead off',
    'npm test; fairlead off',
    'fairlead "$VERB"',
    'fairlead rules "$VERB" guard/git',
    'fairlead init --transport http --despite-other-users',
    'npm exec fairlead -- off',
    'deno run npm:fairlead off',
    'npx fairlead init --yes --despite-other-users --transport=http .',
  ])('by another road: %s', async (command) => {
    expect(await judge(command)).toBe(DENIED);
  });

  it.each([
    'fairlead doctor',
    'fairlead off --help',
    'fairlead rules list',
    'fairlead careful on',
    'fairlead init --yes --transport command',
    'fairlead explain -- "fairlead off"',
    'echo fairlead off',
    'git commit -m "fairlead off"',
    'node dist/cli.js off',
    'npm run off',
    'cd fairlead && npm test',
  ])('passes: %s', async (command) => {
    expect(await judge(command)).toBe('pass');
  });
});

it.each<[string, string]>([
  ['FAIRLEAD_DISABLED=1 npm test', DENIED],
  ['export FAIRLEAD_DISABLED=1', DENIED],
  ['env FAIRLEAD_DISABLED=1 npm test', DENIED],
  ['FAIRLEAD_HOME=/tmp/x fairlead doctor', 'pass'],
  ['FAIRLEAD_HOME=/tmp/x npx fairlead doctor', 'pass'],
  ['FAIRLEAD_HOME=/tmp/x claude -p hello', DENIED],
  ['export FAIRLEAD_HOME=/tmp/x', DENIED],
  ['FAIRLEAD_DEBUG=1 npm test', 'pass'],
  ['echo $FAIRLEAD_DISABLED', 'pass'],
  ['pkill fairlead', DENIED],
  ['pkill -f fairlead-daemon', DENIED],
  ['kill $(pgrep fairlead)', DENIED],
  ['pgrep -f fairlead | xargs kill', DENIED],
  ['kill 4242', 'pass'],
  ['fuser -k ~/.local/state/fairlead/run/sock', DENIED],
  ['lsof -t ~/.local/state/fairlead/state.db | xargs kill', DENIED],
  ['npm uninstall -g fairlead', ASKED],
  ['npm i -g fairlead@0.0.1', ASKED],
  ['yarn global remove fairlead', ASKED],
  ['brew uninstall fairlead', ASKED],
  ['rclone sync x ~/.config', ASKED],
  ['npm i -D fairlead', 'pass'],
  ['npm uninstall -g other', 'pass'],
  ['fuser ~/.local/state/fairlead/run/sock', 'pass'],
  ['kill $(lsof -t -i :3000)', 'pass'],
  ['pkill -f /home/dev/fairlead/node_modules/vite', 'note guard/processes'],
])('%s: %s', async (command, verdict) => {
  expect(await judge(command)).toBe(verdict);
});

it.each([
  `claude --settings '{"disableAllHooks":true}' -p hello`,
  'claude --settings /tmp/settings.json -p hello',
  'claude --settings="$SETTINGS" -p hello',
  'claude --bare -p hello',
  'claude --setting-sources user -p hello',
  'claude --dangerously-skip-permissions',
  'claude --permission-mode bypassPermissions -p hello',
  'claude --permission-mode=bypassPermissions -p hello',
  'npx --yes @anthropic-ai/claude-code@latest --bare -p hello',
  '/usr/local/bin/claude --bare -p hello',
  'claude plugin uninstall fairlead@fairlead',
  'codex plugin remove fairlead@fairlead',
  'codex plugin marketplace remove fairlead',
  'claude plugins disable fairlead',
  'claude plugin disable --all',
  'claude plugin remove "$NAME"',
  'claude plugin marketplace remove fairlead',
  'CLAUDE_CONFIG_DIR=/tmp/x claude -p hello',
  'export CLAUDE_CONFIG_DIR=/tmp/x; claude -p hello',
  'env HOME=/tmp/x claude -p hello',
  'claude config set disableAllHooks true',
])('an agent that no rule would see: %s', async (command) => {
  expect(await judge(command)).toBe(ASKED);
});

it.each([
  'claude -p "what does --bare do?"',
  `claude --settings '{"model":"opus"}' -p hello`,
  'claude --permission-mode plan -p hello',
  'claude config set theme dark',
  'claude plugin disable other@market',
  'claude plugin install fairlead@fairlead',
  'claude mcp list',
  'git log --bare',
  'CLAUDE_CONFIG_DIR=/tmp/x npm test',
])('an agent, or none: %s', async (command) => {
  expect(await judge(command)).toBe('pass');
});

describe('what Fairlead keeps', () => {
  it.each<[string, string | Event, string]>([
    ['state by redirection', 'echo x > ~/.local/state/fairlead/state.db', DENIED],
    ['state by rm', 'rm ~/.local/state/fairlead/state.db', DENIED],
    ['the directory above', 'rm -rf ~/.local/state', DENIED],
    ['state by a file tool', write('/home/dev/.local/state/fairlead/careful', '{}'), DENIED],
    ['the config of the person', 'sed -i s/ask/off/ ~/.config/fairlead/config.yaml', DENIED],
    ['state moved away', 'mv ~/.local/state/fairlead /tmp/x', DENIED],
    ['config moved away', 'mv ~/.config /tmp/x', DENIED],
    ['something put beside it', 'cp -r nvim ~/.config', 'pass'],
    ['by a one-liner', `python3 -c "open('/home/dev/.config/fairlead/config.yaml','w').write('')"`, DENIED],
    ['rules of the project', write('.fairlead/rules/a.md', 'x'), ASKED],
    ['config of the project by redirection', 'echo "rules: {}" > .fairlead/config.yaml', ASKED],
    ['reading the state', 'ls ~/.local/state/fairlead', 'pass'],
    ['another directory of that name', write('src/fairlead/a.ts', 'x'), 'pass'],
  ])('%s', async (_, event, verdict) => {
    expect(await judge(event)).toBe(verdict);
  });
});

describe("the agent's settings", () => {
  it.each<[string, string | Event, GuardWorld['files'], string]>([
    ['another setting', edit(LOCAL, '"opus"', '"haiku"'), files, 'pass'],
    ['another setting, the file being out of reach', edit(LOCAL, '"opus"', '"haiku"'), {}, 'pass'],
    ['hooks, the file being out of reach', edit(LOCAL, '"hooks": {', '"hooks": {}, "x": {'), {}, DENIED],
    ['hooks switched off', edit(LOCAL, '"model": "opus"', '"disableAllHooks": true'), files, DENIED],
    ['an entry of ours taken out', edit(LOCAL, 'fairlead', 'true'), files, DENIED],
    ['a variable of ours', edit(LOCAL, '"model": "opus"', '"env": {"FAIRLEAD_DISABLED": "1"}'), files, DENIED],
    ['a hook of others', edit(LOCAL, '"PreToolUse": [', '"Stop": [], "PreToolUse": ['), files, ASKED],
    ['a whole file with the same hooks', write(LOCAL, WIRED.replace('opus', 'haiku')), files, 'pass'],
    ['a whole file without them', write(LOCAL, '{"model":"haiku"}'), files, DENIED],
    ['a whole file that is no JSON', write(LOCAL, '{'), files, DENIED],
    ['a new file without hooks', write(SHARED, '{"permissions":{"allow":["Bash(ls)"]}}'), {}, 'pass'],
    ['a new file with hooks', write(SHARED, '{"hooks":{"Stop":[]}}'), {}, ASKED],
    ['a new file that switches them off', write(SHARED, '{"disableAllHooks":true}'), {}, DENIED],
    ['by redirection, unseen', 'cat new.json > .claude/settings.json', {}, ASKED],
    ['by redirection over our entries', 'cat new.json > .claude/settings.local.json', files, DENIED],
    ['by jq', `jq '.disableAllHooks = true' a.json > .claude/settings.json`, {}, DENIED],
    ['by sed', `sed -i 's/opus/haiku/' .claude/settings.local.json`, files, ASKED],
    ['deleted', 'rm .claude/settings.local.json', files, DENIED],
    ['moved away', 'mv .claude/settings.local.json .claude/s', files, DENIED],
    ['moved away with its directory', 'mv .claude .claude2', files, DENIED],
    ['moved away, unseen', 'mv .claude .claude2', {}, ASKED],
    ['moved away by a tool of a server', moveTool('.claude', 'x'), files, DENIED],
    ['by a wildcard', 'rm .claude/*.json', files, DENIED],
    ['by a wildcard, in place', 'sed -i s/PreToolUse/X/ .claude/*.json', files, ASKED],
    ['by a search', 'find . -name "*.json" -delete', files, ASKED],
    ['by a copy into their directory', 'cp -rf /tmp/e/. .claude', files, ASKED],
    ['by an archive', 'tar xf x.tar -C .claude', files, ASKED],
    ['as if it were a notebook', notebook(LOCAL, '{}'), files, ASKED],
    ['as if it were a notebook, with hooks', notebook(LOCAL, '{"disableAllHooks":true}'), files, DENIED],
    ['made by an edit of nothing', edit(SHARED, '', '{"disableAllHooks":true}'), {}, DENIED],
    ['an entry that is narrowed', edit(LOCAL, '"hooks": [', '"matcher": "Nope", "hooks": ['), files, DENIED],
    [
      'an entry that gets no time',
      edit(LOCAL, '"type": "command",', '"type": "command", "timeout": 0.01,'),
      files,
      DENIED,
    ],
    ['deleted with its directory and our entries', 'rm -rf .claude', files, DENIED],
    ['deleted with its directory', 'rm -rf .claude', {}, 'ask guard/self-protection'],
    ['those of the person', write('/home/dev/.claude/settings.json', '{"disableAllHooks":true}'), {}, DENIED],
    [
      'by a tool of a server',
      toolEvent({
        kind: 'mcp',
        name: 'mcp__fs__write_file',
        mcp: { server: 'fs', tool: 'write_file' },
        paths: [`${ROOT}/${SHARED}`],
        input: { path: SHARED, content: '{"disableAllHooks":true}' },
      }),
      {},
      DENIED,
    ],
    ['read', 'cat .claude/settings.json', files, 'pass'],
    ['a file beside them', write('.claude/commands/x.md', 'hooks'), files, 'pass'],
  ])('%s', async (_, event, onDisk, verdict) => {
    expect(await judge(event, { files: onDisk ?? {} })).toBe(verdict);
  });
});

it('names the verb and leaves the decision to the person', async () => {
  const { reason } = await send(guardEngine(), shell('npm test && fairlead rules disable guard/git'));
  expect(reason).toContain('`fairlead rules disable`');
  expect(reason).toContain('let the person decide');
});
