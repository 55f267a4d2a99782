import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lacks } from '../lacking.ts';
import { makeHome, TRANSPORTS } from './home.ts';
import type { Home } from './home.ts';
import { bash, say, turn } from './model.ts';
import { heardInAll, runSession } from './session.ts';
import type { Session } from './session.ts';

const NODE = `"${process.execPath}"`;
/** In the words of the client: what a hook prints. */
const reply = (own: object) => JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...own } });

/** Eight hooks as people have them, none of ours. */
const SCRIPTS: Readonly<Record<string, string>> = {
  'deny.sh': `#!/bin/bash
command=$(jq -r .tool_input.command)
case $command in *forbidden*) jq -nc '{hookSpecificOutput:{hookEventName:"PreToolUse",permissionDecision:"deny",permissionDecisionReason:"jq says no"}}';; esac
`,
  'context.mjs': `let text = '';
process.stdin.on('data', (part) => (text += part)).on('end', () => {
  const { tool_input, cwd } = JSON.parse(text);
  const where = [process.env.CLAUDE_PROJECT_DIR === cwd, process.cwd() === cwd, process.env.OF_THE_SESSION].join(' ');
  if (tool_input.command.includes('told'))
    console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'node was here: ' + where } }));
});
`,
  'ask.py': `import json, sys
if "deploy" in json.load(sys.stdin)["tool_input"]["command"]:
    print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask", "permissionDecisionReason": "python asks"}}))
`,
  'slow.sh': `#!/bin/sh
input=$(cat)
case $input in *linger*) sleep 30; echo '${reply({ permissionDecision: 'deny', permissionDecisionReason: 'too late' })}';; *) sleep 0.2;; esac
`,
  'crash.mjs': `process.stdin.resume();
process.stdin.on('end', () => { throw new Error('this hook is broken'); });
`,
  'junk.sh': `#!/bin/sh
cat > /dev/null
echo '{"hookSpecificOutput": {"permissionDecision": "deny"'
`,
  'block.sh': `#!/bin/sh
case $(cat) in *danger*) echo 'the blocker is against it' >&2; exit 2;; esac
`,
  'rewrite.mjs': `let text = '';
process.stdin.on('data', (part) => (text += part)).on('end', () => {
  const { tool_input } = JSON.parse(text);
  if (tool_input.command.includes('whisper'))
    console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { ...tool_input, command: tool_input.command.replace('whisper', 'SHOUT') } } }));
});
`,
};

const inProject = (script: string) => `"$CLAUDE_PROJECT_DIR"/.claude/hooks/${script}`;
const entry = (command: string, more: object = {}) => ({ type: 'command', command, ...more });

const SETTINGS = `${JSON.stringify(
  {
    permissions: { allow: ['Bash(true)'] },
    hooks: {
      PreToolUse: [
        { matcher: 'Bash', hooks: [entry(inProject('deny.sh')), entry(`${NODE} ${inProject('context.mjs')}`)] },
        {
          matcher: 'Bash|Write',
          hooks: [entry(`python3 ${inProject('ask.py')}`), entry(inProject('slow.sh'), { timeout: 2 })],
        },
        { matcher: '^Ba', hooks: [entry(`${NODE} ${inProject('crash.mjs')}`)] },
        { hooks: [entry(inProject('junk.sh')), entry(inProject('block.sh'))] },
        // Once more, in another group: the client runs it once.
        { matcher: '*', hooks: [entry(`${NODE} ${inProject('rewrite.mjs')}`), entry(inProject('block.sh'))] },
      ],
    },
  },
  null,
  4,
)}\r\n`;

const COMMANDS = [
  'echo plain > plain.txt',
  'echo forbidden > forbidden.txt',
  'echo told > told.txt',
  'echo deploy > deploy.txt',
  'echo danger > danger.txt',
  'echo whisper > whisper.txt',
  'echo linger > linger.txt',
  'echo danger and forbidden > both.txt',
];

function plant(home: Home): string {
  const hooks = join(home.project, '.claude', 'hooks');
  mkdirSync(hooks, { recursive: true });
  for (const [name, text] of Object.entries(SCRIPTS)) {
    writeFileSync(join(hooks, name), text);
    chmodSync(join(hooks, name), 0o755);
  }
  const settings = join(home.project, '.claude', 'settings.local.json');
  writeFileSync(settings, SETTINGS);
  return settings;
}

interface Decided {
  readonly command: string;
  readonly failed: boolean;
  readonly said: readonly string[];
  readonly ran?: string;
}

async function play(
  home: Home,
): Promise<{ decided: readonly Decided[]; heard: readonly string[]; ms: readonly number[] }> {
  const calls = COMMANDS.map(bash);
  const script = { main: [...calls.map((each) => turn(each)), say('Done.')] };
  const session = await runSession(home, { script, env: { OF_THE_SESSION: 'yes' } });
  const decided = calls.map(({ id }, at): Decided => {
    const command = COMMANDS[at] ?? '';
    const { failed = false, text = '' } = session.results.get(id) ?? {};
    const ran = contentOf(join(home.project, command.split(' > ')[1] ?? ''));
    // The client shows one of several reasons; we show all.
    return { command, failed, said: failed ? [text.trim()] : [], ...(ran === undefined ? {} : { ran }) };
  });
  return { decided, heard: heardInAll(session), ms: waits(session) };
}

function contentOf(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, '');
    return text === '' ? undefined : text;
  } catch {
    return undefined;
  }
}

/** From the model's reply to the client's next request, for each call but the one that waits for a hook to be ended. */
function waits({ requests }: Session): number[] {
  const main = requests.filter(({ lane }) => lane === 'main');
  return COMMANDS.flatMap((command, at) => {
    const [asked, told] = [main[at], main[at + 1]];
    return command.includes('linger') || !asked || !told ? [] : [told.receivedAt - asked.answeredAt];
  });
}

const middle = (values: readonly number[]): number =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);

describe.skipIf(lacks('jq', 'python3', 'script'))('eight hooks of others', () => {
  it.concurrent.each(['without ours', ...TRANSPORTS] as const)(
    'decide the same when the engine runs them, %s',
    async (beside) => {
      const home = makeHome();
      try {
        const settings = plant(home);
        if (beside !== 'without ours') await home.init(beside);
        // The first may have to start an engine, which the others find.
        if (beside !== 'without ours') await runSession(home, { script: { main: [turn(bash('true')), say('Done.')] } });
        const direct = await play(home);
        expect(direct.decided.map(({ ran }) => ran?.trim())).toEqual([
          ...['plain', undefined, 'told', undefined, undefined, 'SHOUT', 'linger', undefined],
        ]);
        const before = readFileSync(settings, 'utf8');

        const { code, screen } = await home.byPerson('adopt', '--yes');
        expect(code, screen).toBe(0);
        expect(readFileSync(settings, 'utf8')).not.toContain('deny.sh');
        const first = await play(home);
        // The daemon is there by now.
        const wrapped = await play(home);
        for (const each of [first, wrapped]) {
          expect(each.decided.slice(0, -1)).toEqual(direct.decided.slice(0, -1));
          expect(each.heard.toSorted()).toEqual(direct.heard.toSorted());
          const [both, once] = [each.decided.at(-1), direct.decided.at(-1)];
          expect([both?.failed, both?.ran]).toEqual([once?.failed, once?.ran]);
          expect(both?.said[0]).toMatch(/jq says no/);
          expect(both?.said[0]).toMatch(/the blocker is against it/);
        }
        process.stdout.write(
          `${beside}: ms per call, direct ${middle(direct.ms)}, first ${middle(first.ms)}, wrapped ${middle(wrapped.ms)}\n`,
        );

        const stats = home.fairlead('stats');
        expect(stats).toMatch(/crash\.mjs/);
        expect(
          home
            .findings()
            .map(({ what }) => what)
            .join('\n'),
        ).toMatch(/crash\.mjs/);

        const undone = await home.byPerson('adopt', '--undo', '--yes');
        expect(undone.code, undone.screen).toBe(0);
        expect(readFileSync(settings, 'utf8')).toBe(before);
        if (beside !== 'without ours') {
          const { code: out, screen: said } = await home.byPerson('uninstall', '--yes');
          expect(out, said).toBe(0);
        }
        expect(readFileSync(settings, 'utf8')).toBe(SETTINGS);
      } finally {
        expect(await home.remove(), 'processes left').toEqual([]);
      }
    },
  );
});
