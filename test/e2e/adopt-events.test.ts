import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeHome } from './home.ts';
import type { Home } from './home.ts';
import { bash, say, textsIn, turn } from './model.ts';
import { runSession } from './session.ts';

const entry = (command: string, matcher?: string) => ({
  ...(matcher !== undefined && { matcher }),
  hooks: [{ type: 'command', command }],
});
const context = (event: string, text: string) =>
  `cat >/dev/null; echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } })}'`;
const block = (reason: string) => `echo '${JSON.stringify({ decision: 'block', reason })}'`;
const on = (word: string, command: string) => `case $(cat) in *${word}*) ${command};; esac`;
const FIRST_STOP = `'"stop_hook_active":false'`;

/** Hooks of others on events that are not about a call to come, in each way in which they can speak. */
const HOOKS = {
  SessionStart: [
    entry('cat >/dev/null; echo MARK-START-PLAIN'),
    entry(context('SessionStart', 'MARK-START-JSON'), 'startup'),
    entry(context('SessionStart', 'MARK-START-RESUME'), 'resume'),
    entry('cat >/dev/null; echo MARK-START-ERROR >&2; exit 2'),
  ],
  UserPromptSubmit: [
    entry('cat >/dev/null; echo MARK-PROMPT-PLAIN'),
    entry(context('UserPromptSubmit', 'MARK-PROMPT-JSON')),
    entry(on('forbidden', block('MARK-PROMPT-BLOCK'))),
    entry(on('unwanted', 'echo MARK-PROMPT-ERROR >&2; exit 2')),
    entry('cat >/dev/null; echo MARK-PROMPT-FAIL; exit 1'),
  ],
  PostToolUse: [
    entry(context('PostToolUse', 'MARK-POST-JSON'), 'Bash'),
    entry(on('regard', 'echo MARK-POST-ERROR >&2; exit 2'), '^B'),
    entry(on('behold', block('MARK-POST-BLOCK'))),
    entry('cat >/dev/null; echo MARK-POST-PLAIN'),
    entry('cat >/dev/null; echo MARK-POST-FAIL >&2; exit 1'),
    entry(context('PostToolUse', 'MARK-POST-EDIT'), 'Edit|Write'),
    entry(context('Stop', 'MARK-POST-WRONG')),
  ],
  PostToolUseFailure: [entry(context('PostToolUseFailure', 'MARK-FAILURE'))],
  Stop: [entry(on(FIRST_STOP, 'echo MARK-STOP >&2; exit 2')), entry('cat >/dev/null; echo MARK-STOP-PLAIN')],
  SessionEnd: [entry('cat > ended')],
};

/** The client ends with a prompt that a hook stops. */
const PROMPTS = ['Go on.', 'Once more.', 'an unwanted and forbidden prompt'];

/** The marks that came to the model with each of its requests, and what else became of them. */
async function play(home: Home) {
  const script = {
    main: [
      ...['echo one', 'echo regard', 'echo behold', 'exit 3'].map((command) => turn(bash(command))),
      ...[say('Done.'), say('Done after all.'), say('Once more.'), say('And again.'), say('No more.')],
    ],
  };
  const session = await runSession(home, { script, prompts: PROMPTS, showHooks: false });
  const known = new Map<string, number>();
  const told = session.requests
    .filter(({ lane }) => lane === 'main')
    .map((request) => {
      const found =
        textsIn(request)
          .join('\n')
          .match(/MARK-[A-Z-]+/g) ?? [];
      const counts = [...new Set(found)].map((mark) => [mark, found.filter((one) => one === mark).length] as const);
      const more = counts.filter(([mark, count]) => count > (known.get(mark) ?? 0));
      for (const [mark, count] of counts) known.set(mark, count);
      return more.map(([mark]) => mark).toSorted();
    });
  const ended = join(home.project, 'ended');
  const hasEnded = existsSync(ended);
  rmSync(ended, { force: true });
  return { told, failed: [...session.results.values()].map(({ failed }) => failed), hasEnded, code: session.code };
}

it('hooks of others say the same on all their events when the engine runs them', async () => {
  const home = makeHome();
  try {
    const settings = join(home.project, '.claude', 'settings.local.json');
    mkdirSync(join(home.project, '.claude'), { recursive: true });
    writeFileSync(settings, JSON.stringify({ hooks: HOOKS }, null, 2));
    const before = readFileSync(settings, 'utf8');
    const direct = await play(home);
    // The last prompt is stopped; of the others, each is told to go on once.
    expect(direct.told).toHaveLength(8);
    expect(direct.told.flat()).toContain('MARK-STOP');
    expect(direct.hasEnded).toBe(true);

    const { code, screen } = await home.byPerson('adopt', '--yes');
    expect(code, screen).toBe(0);
    expect(readFileSync(settings, 'utf8')).not.toContain('MARK');
    expect(await play(home), 'by the one-shot at first').toEqual(direct);
    expect(await play(home), 'by the daemon').toEqual(direct);

    expect(await home.byPerson('adopt', '--undo', '--yes')).toMatchObject({ code: 0 });
    expect(readFileSync(settings, 'utf8')).toBe(before);
  } finally {
    expect(await home.remove(), 'processes left').toEqual([]);
  }
});
