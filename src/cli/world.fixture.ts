import { createJobs } from '../jobs/jobs.ts';
import { openEngine } from '../assembly/open-engine.ts';
import type { OpenedEngine } from '../assembly/open-engine.ts';
import { homePaths } from '../platform/paths.ts';
import type { CliWorld, Command } from './command.ts';
import { parseArguments } from './dispatch.ts';
import { outgoing } from './outgoing.ts';

export interface FakeWorldOptions {
  /** A directory that stands for the person's home; settings and state lie below it. */
  readonly home: string;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
  /** What a person would type where nothing is shown; there is a terminal then. */
  readonly secret?: string;
  /** What a person would answer; without it there is nobody to ask. */
  readonly answer?: boolean;
  /** Answers to questions that have more than two, before `answer`. */
  readonly letters?: readonly ('y' | 'n' | 'other')[];
  /** Answers to questions with several words, in turn; there is a terminal then. */
  readonly picks?: readonly string[];
  readonly columns?: number;
  /** Stands for the root of the file system, above the files of the machine's administrator. */
  readonly machineRoot?: string;
  /** An agent calls. */
  readonly byAgent?: boolean;
  /** Is meant where a verb has to know an agent and is told none; `null` where the verb shall find out. */
  readonly agent?: string | null;
}

export interface FakeWorld extends CliWorld {
  /** Everything printed so far. */
  readonly printed: { out: string; err: string };
  /** Questions that were asked. */
  readonly asked: string[];
  /** Parses the arguments as the command line does and runs the verb; returns its exit code. */
  run(command: Command, ...argv: readonly string[]): Promise<number>;
  /** What the verb prints with `--json`. */
  json(command: Command, ...argv: readonly string[]): Promise<Record<string, unknown>>;
  close(): void;
}

/** A world on real files and a real database, without a terminal. */
export function fakeWorld(options: FakeWorldOptions): FakeWorld {
  const {
    home,
    cwd,
    env = {},
    stdin = '',
    answer,
    secret,
    columns = 100,
    byAgent = false,
    agent = 'claude-code',
  } = options;
  const paths = homePaths({ HOME: home, FAIRLEAD_HOME: `${home}/.fairlead` }, 'linux');
  const printed = { out: '', err: '' };
  const asked: string[] = [];
  const letters = [...(options.letters ?? [])];
  const picks = [...(options.picks ?? [])];
  const interactive = answer !== undefined || secret !== undefined || options.picks !== undefined;
  let engine: OpenedEngine | undefined;
  const world: FakeWorld = {
    printed,
    asked,
    out: (text) => void (printed.out += outgoing(text)),
    err: (text) => void (printed.err += outgoing(text)),
    paths,
    userHome: home,
    cwd,
    env,
    interactive,
    hasInput: !interactive,
    colour: false,
    columns,
    ...(options.machineRoot !== undefined && { machineRoot: options.machineRoot }),
    isPerson: () => !byAgent,
    isAgent: () => byAgent,
    ask: async (question) => {
      asked.push(question);
      return answer === true;
    },
    choose: async (question, other) => {
      asked.push(`${question} [${other}]`);
      return letters.shift() ?? (answer === true ? 'y' : 'n');
    },
    pick: async (question, words) => {
      asked.push(question);
      return picks.shift() ?? words.at(-1) ?? '';
    },
    askSecret: async (question) => {
      asked.push(question);
      return secret ?? '';
    },
    readStdin: async () => stdin,
    engine: () => (engine ??= openEngine({ paths, userHome: home, resident: false, keeps: 'trial', createJobs })),
    async run(command, ...argv) {
      const input = parseArguments(command, naming(agent, command, argv));
      await command.check?.(input, world);
      return (await command.run(input, world)) ?? 0;
    },
    async json(command, ...argv) {
      printed.out = '';
      await world.run(command, ...argv, '--json');
      return JSON.parse(printed.out) as Record<string, unknown>;
    },
    close: () => {
      engine?.close();
      engine = undefined;
    },
  };
  return world;
}

/** A command on the command line, and an installation, are an agent's; all else tells whose it is. */
function naming(agent: string | null, { options = {} }: Command, argv: readonly string[]): readonly string[] {
  const isTold = agent === null || !('agent' in options) || argv.includes('--agent');
  const needsOne = options['agent']?.multiple === true || argv.includes('--');
  return isTold || !needsOne ? argv : ['--agent', agent, ...argv];
}
