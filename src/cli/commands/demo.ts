import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ADAPTERS } from '../../adapters/registry.ts';
import type { Decision } from '../../event/verdict.ts';
import { openEngine } from '../../open-engine.ts';
import { pathsOf } from '../../platform/paths.ts';
import { play, readSession } from '../../player/play.ts';
import type { Played } from '../../player/play.ts';
import type { CliWorld, Command } from '../command.ts';
import { JSON_OPTION } from '../command.ts';

/** All output of the build lies side by side one level below the package. */
const PACKAGE = join(dirname(fileURLToPath(import.meta.url)), '..');
const SESSION = 'heavy-parcel';
/** Where the session was recorded. */
const RECORDED_AT = '/home/dev/project';

export const demo: Command = {
  summary: 'play a recorded session and show each decision',
  details:
    'Plays a session that was recorded from a real agent through the engine, in a home that is thrown away afterwards, with the built-in rules and those in examples/rules. Nothing outside of it is read or written.',
  options: { ...JSON_OPTION, all: { type: 'boolean', help: 'show events without a decision one by one, too' } },
  async run(input, world) {
    const [adapter] = ADAPTERS;
    if (!adapter) return 1;
    const stage = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-demo-')));
    try {
      const project = join(stage, 'parcel-quote');
      setStage(stage, project);
      const engine = openEngine({ paths: pathsOf(join(stage, 'home')), userHome: stage, resident: true });
      try {
        const text = readFileSync(join(PACKAGE, 'test/fixtures/sessions', `${SESSION}.jsonl`), 'utf8');
        const calls = readSession(text, { [RECORDED_AT]: project });
        const rules = (await engine.workspaces.layersAt(project)).user.rules.length;
        if (!input.has('json')) introduce(world, calls.length, rules);
        const played: Played[] = [];
        for await (const one of play(calls, engine, { agent: adapter.name, home: stage, startAt: engine.clock.now() })) {
          played.push(one);
          if (!input.has('json')) showEvent(world, one, input.has('all'));
        }
        if (input.has('json')) world.out(`${JSON.stringify(played.map(dataOf), null, 2)}\n`);
        else conclude(world, played);
      } finally {
        engine.close();
      }
    } finally {
      rmSync(stage, { recursive: true, force: true });
    }
    return 0;
  },
};

/** The project as it was when the session began, and a home with the example rules. */
function setStage(stage: string, project: string): void {
  const { files } = JSON.parse(readFileSync(join(PACKAGE, 'test/fixtures/sessions', `${SESSION}.script.json`), 'utf8')) as { files: Record<string, string> };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), content);
  }
  mkdirSync(join(project, '.git'));
  mkdirSync(join(stage, 'home', 'config'), { recursive: true });
  cpSync(join(PACKAGE, 'examples', 'rules'), join(stage, 'home', 'config', 'rules'), { recursive: true });
}

function introduce(world: CliWorld, events: number, rules: number): void {
  world.out(`A session of a real coding agent, ${events} events, played through the engine with the built-in rules and ${rules} from examples/rules.\n`);
  world.out('The agent adds a surcharge to a small price calculator. Events without a decision are counted, not shown (--all shows them).\n\n');
}

let skipped = 0;

function showEvent(world: CliWorld, played: Played, all: boolean): void {
  const { row, detail, micros } = played;
  const decision = detail?.decision as Decision | undefined;
  const says = decision ? saysOf(decision) : [];
  if (says.length === 0 && !all) {
    skipped += 1;
    return;
  }
  if (skipped > 0) world.out(paint(world, 'dim', `        ${skipped} event${skipped === 1 ? '' : 's'} answered with silence\n`));
  skipped = 0;
  const seconds = (played.call.at / 1000).toFixed(1).padStart(5);
  const what = [row?.event ?? '?', row?.tool, subjectOf(played)].filter(Boolean).join(' ');
  world.out(`${seconds} s ${what}  ${paint(world, 'dim', `${Math.round(micros)} µs`)}\n`);
  for (const { kind, rule, text } of says) {
    const colour = kind === 'deny' ? 'red' : kind === 'ask' ? 'yellow' : 'cyan';
    world.out(`        ${paint(world, colour, kind.padEnd(5))} ${rule}  ${paint(world, 'dim', `${text.length} characters`)}\n`);
    world.out(`${wrap(text, Math.min(world.columns, 110) - 14).map((line) => `              ${line}\n`).join('')}`);
  }
}

function saysOf({ action, by, reason, notes, warns }: Decision): { kind: string; rule: string; text: string }[] {
  return [
    ...(action === 'pass' ? [] : [{ kind: action, rule: by.join(', '), text: reason ?? '' }]),
    ...notes.map(({ rule, text }) => ({ kind: 'note', rule, text })),
    ...warns.map(({ rule, text }) => ({ kind: 'warn', rule, text })),
  ];
}

function subjectOf({ detail }: Played): string {
  const event = detail?.event as { tool?: { command?: string; paths?: readonly string[] }; prompt?: { text: string } } | undefined;
  const subject = event?.tool?.command ?? event?.tool?.paths?.[0]?.split('/').slice(-2).join('/') ?? event?.prompt?.text ?? '';
  const line = subject.split('\n', 1)[0] ?? '';
  return line.length > 70 ? `${line.slice(0, 69)}…` : line;
}

function conclude(world: CliWorld, played: readonly Played[]): void {
  if (skipped > 0) world.out(paint(world, 'dim', `        ${skipped} events answered with silence\n`));
  const times = played.map(({ micros }) => micros).sort((a, b) => a - b);
  const said = played.filter(({ reply }) => reply !== '').length;
  const characters = played.reduce((sum, { row }) => sum + (row?.chars ?? 0), 0);
  world.out(`\n${played.length} events, ${said} answered, ${characters} characters for the agent to read.\n`);
  world.out(`An event took ${Math.round(times[Math.floor(times.length / 2)] ?? 0)} µs in the middle and ${Math.round(times[Math.floor(times.length * 0.95)] ?? 0)} µs at the 95th percentile, from its bytes to the reply, the first ones included.\n`);
  world.out('\nTo wire a project of your own:  bin/fairlead init <dir>\n');
}

function dataOf({ call, reply, row, detail, micros }: Played): unknown {
  return { at: call.at, event: row?.event, tool: row?.tool, action: row?.action, rules: row?.rules, micros, reply: reply === '' ? null : (JSON.parse(reply) as unknown), trace: detail?.trace };
}

const COLOURS = { dim: 2, red: 31, yellow: 33, cyan: 36 };

function paint(world: CliWorld, colour: keyof typeof COLOURS, text: string): string {
  return world.colour ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m` : text;
}

function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    const lines = [''];
    for (const word of line.split(' ')) {
      const last = lines.at(-1) ?? '';
      if (last !== '' && last.length + word.length + 1 > width) lines.push(word);
      else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
    }
    return lines;
  });
}
