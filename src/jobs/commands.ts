import { ownSessionId } from '../engine/limits/guards.ts';
import type { CommandProblem, CommandSetting } from '../platform/run-command.ts';
import type { Store } from '../state/store.ts';
import type { JobName } from './queue.ts';

const LIMIT_MS = 15_000;

export interface CommandsOptions {
  readonly store: Store;
  readonly env: Env;
  now(): number;
  /** An id that no session has. */
  newSession(): string;
  isOff(now: number): boolean;
  onFailure(what: string, error: unknown): void;
  onStart(name: JobName): void;
  run(argv: readonly string[], setting: CommandSetting): Promise<CommandProblem>;
  /** How our own command line is started for the same home; absent where there is none. */
  readonly own?: { readonly argv: readonly string[]; readonly env: Env };
}

type Env = Readonly<Record<string, string | undefined>>;

/** Runs the commands that jobs ask for, one at a time. One that is asked for again while it waits is run once. */
export interface Commands {
  ask(argv: readonly string[], name: JobName): void;
  /** The same with our own command line. */
  askOwn(args: readonly string[], name: JobName): void;
  idle(): Promise<void>;
  stop(): void;
}

interface Asked {
  readonly argv: readonly string[];
  /** What a person is told that it is. */
  readonly shown: string;
  readonly name: JobName;
  /** Beside what every command has in its environment. */
  readonly more?: Env;
}

export function createCommands(options: CommandsOptions): Commands {
  const { store, env, now, onFailure } = options;
  const waiting = new Map<string, Asked>();
  const stopping = new AbortController();
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    for (let next = waiting.entries().next().value; next; next = waiting.entries().next().value) {
      const [key, asked] = next;
      const { shown, name } = asked;
      waiting.delete(key);
      if (stopping.signal.aborted || options.isOff(now())) continue;
      const what = `running ${shown} for ${name.pack}`;
      try {
        const problem = await start(asked);
        if (problem !== undefined && !stopping.signal.aborted) onFailure(what, problem);
      } catch (error) {
        onFailure(what, error);
      }
    }
    working = undefined;
  }

  function start({ argv, name, more }: Asked): Promise<CommandProblem> {
    const session = options.newSession();
    // An agent that the command starts under this id is known as ours, over every transport.
    const change = { op: 'set', id: ownSessionId(session), value: 'true', expires: 0 } as const;
    store.commit({ reads: new Map(), changes: [change], now: now() });
    options.onStart(name);
    return options.run(argv, {
      cwd: name.root,
      env: {
        ...env,
        FAIRLEAD_DEPTH: String((Number(env['FAIRLEAD_DEPTH']) || 0) + 1),
        FAIRLEAD_SESSION_ID: session,
        FAIRLEAD_ROOT: name.root,
        FAIRLEAD_SUBJECT: name.subject,
        ...more,
      },
      limitMs: LIMIT_MS,
      signal: stopping.signal,
    });
  }

  function ask(asked: Asked): void {
    const { argv, name } = asked;
    if (!isCommand(argv)) return onFailure(`running a command for ${name.pack}`, 'it is not a list of words');
    waiting.set(JSON.stringify([name.root, name.subject, ...argv]), asked);
    working ??= work();
  }

  return {
    ask: (argv, name) => ask({ argv, shown: String(argv[0]), name }),
    askOwn(args, name) {
      // The verb without its options, which are about one session or file: alike failures are counted together.
      const first = args.findIndex((word) => word.startsWith('-'));
      const verb = args.slice(0, first < 0 ? args.length : first).join(' ');
      const { own } = options;
      if (own) ask({ argv: [...own.argv, ...args], shown: `\`fairlead ${verb}\``, name, more: own.env });
    },
    idle: () => working ?? Promise.resolve(),
    stop() {
      waiting.clear();
      stopping.abort();
    },
  };
}

/** Jobs pass on what a user wrote. */
function isCommand(argv: unknown): boolean {
  return Array.isArray(argv) && argv.length > 0 && argv[0] !== '' && argv.every((word) => typeof word === 'string');
}
