import type { Event } from '../../event/event.ts';
import type { Decision } from '../../event/verdict.ts';
import { nodeFiles } from '../../platform/files.ts';
import { findOnPath } from '../../platform/find-program.ts';
import { play } from '../../player/play.ts';
import type { Played } from '../../player/play.ts';
import type { CliWorld, Command, VerbFile } from '../command.ts';
import { JSON_OPTION, printJson } from '../command.ts';
import { setStage } from '../demo/stage.ts';
import type { Stage } from '../demo/stage.ts';
import { ownLauncher, PROGRAM } from '../install/launcher.ts';
import { shown } from '../known-rules.ts';
import { cut, paint, printableLine, wrap } from '../table.ts';
import type { Style } from '../table.ts';

const STYLES: Readonly<Record<string, Style>> = { deny: 'red', ask: 'yellow', note: 'cyan', warn: 'cyan' };
const WARM_UP_ROUNDS = 20;

export const demo: Command = {
  summary: 'play a recorded session and show each decision',
  details:
    'Plays a session that was recorded from a real agent through the engine, in a home that is thrown away afterwards, with\nthe built-in rules and those in examples/rules. Nothing outside of it is read or written.',
  options: { ...JSON_OPTION, all: { type: 'boolean', help: 'show events without a decision one by one, too' } },
  async run(input, world) {
    const stage = setStage();
    try {
      const rules = (await stage.engine.workspaces.layersAt(stage.project)).user.rules.length;
      await warmUp(stage);
      if (input.has('json')) {
        printJson(world, (await playAll(stage, () => {})).map(dataOf));
        return 0;
      }
      introduce(world, stage.calls().length, rules);
      const screen = createScreen(world, input.has('all'));
      const played = await playAll(stage, (one) => screen.show(one));
      screen.end();
      conclude(world, played);
      return 0;
    } finally {
      stage.strike();
    }
  },
};

async function playAll(stage: Stage, onPlayed: (one: Played) => void, session?: string): Promise<Played[]> {
  const all: Played[] = [];
  const options = { agent: stage.agent, home: stage.dir, startAt: stage.engine.clock.now() };
  for await (const one of play(stage.calls(session), stage.engine, options)) {
    all.push(one);
    onPlayed(one);
  }
  return all;
}

/** So that the times shown are those of an engine that has been running for a while. */
async function warmUp(stage: Stage): Promise<void> {
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
    await playAll(stage, () => {}, `warm-up-${round}`);
    stage.engine.ledger.flush();
  }
}

function introduce(world: CliWorld, events: number, rules: number): void {
  world.out(
    `A session of a real coding agent, ${events} events, through the engine with the built-in rules and ${rules} from examples/rules.\n` +
      'The agent adds a surcharge to a small price calculator. Events that get no answer are counted; --all shows them.\n\n',
  );
}

function createScreen(world: CliWorld, all: boolean): { show(one: Played): void; end(): void } {
  let silent = 0;
  const end = () => {
    if (silent > 0)
      world.out(`${paint(world, 'dim', `        ${silent} event${silent === 1 ? '' : 's'} answered with silence`)}\n`);
    silent = 0;
  };
  return {
    end,
    show(one) {
      const says = saysOf(one.detail?.decision as Decision | undefined);
      if (says.length === 0 && !all) {
        silent += 1;
        return;
      }
      end();
      const seconds = (one.call.at / 1_000).toFixed(1).padStart(5);
      const subject = [one.row?.event, one.row?.tool, subjectOf(one)].filter(Boolean).join(' ');
      world.out(`${seconds} s ${subject}  ${paint(world, 'dim', `${Math.round(one.micros)} µs`)}\n`);
      for (const { kind, rule, text } of says) {
        world.out(
          `        ${paint(world, STYLES[kind], kind.padEnd(5))} ${rule}  ${paint(world, 'dim', `${text.length} characters`)}\n`,
        );
        world.out(`${wrap(text, Math.min(world.columns, 110), ' '.repeat(14))}\n`);
      }
    },
  };
}

function saysOf(decision: Decision | undefined): { kind: string; rule: string; text: string }[] {
  if (!decision) return [];
  const { action, by, reason, notes, warns } = decision;
  return [
    ...(action === 'pass' ? [] : [{ kind: action, rule: by.join(', '), text: reason ?? '' }]),
    ...notes.map(({ rule, text }) => ({ kind: 'note', rule, text })),
    ...warns.map(({ rule, text }) => ({ kind: 'warn', rule, text })),
  ];
}

function subjectOf({ detail }: Played): string {
  const { tool, prompt } = (detail?.event ?? {}) as Partial<Event>;
  const subject = tool?.command ?? tool?.paths[0]?.split('/').slice(-2).join('/') ?? prompt?.text ?? '';
  return cut(printableLine(subject), 70);
}

function conclude(world: CliWorld, played: readonly Played[]): void {
  const times = played.map(({ micros }) => micros).sort((a, b) => a - b);
  const said = played.filter(({ reply }) => reply !== '').length;
  const characters = played.reduce((sum, { row }) => sum + (row?.chars ?? 0), 0);
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0);
  world.out(
    `\n${played.length} events, ${said} answered, ${characters} characters for the agent to read.\n` +
      `From its bytes to the reply an event took ${at(0.5)} µs at the median and ${at(0.95)} µs at the 95th percentile.\n` +
      `\nTo wire a project of your own:  ${programOf(world)} init <dir>\n`,
  );
}

/** What a person types to start this copy: its name where the PATH leads to it, else its path. */
function programOf(world: CliWorld): string {
  const own = ownLauncher(nodeFiles);
  const named = findOnPath(PROGRAM, world.env);
  return named !== undefined && nodeFiles.realpath(named) === nodeFiles.realpath(own) ? PROGRAM : shown(world, own);
}

function dataOf({ call, reply, row, detail, micros }: Played): unknown {
  const { event, tool, action, rules } = row ?? {};
  return {
    at: call.at,
    event,
    tool,
    action,
    rules,
    micros,
    reply: reply === '' ? null : (JSON.parse(reply) as unknown),
    trace: detail?.trace,
  };
}

export default { order: 30, verbs: { demo } } satisfies VerbFile;
