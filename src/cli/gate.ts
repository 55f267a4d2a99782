import { lineage } from '../platform/process-tree.ts';
import type { ProcessFacts, ProcessTree } from '../platform/process-tree.ts';
import { GATED_OPTIONS, GATED_VERBS } from '../event/gated-verbs.generated.ts';
import { quote } from '../shell/quote.ts';

/** How agents are recognised; the adapters know these words. */
export interface AgentSigns {
  readonly agentNames: readonly string[];
  /** Variables that only an agent's own child processes carry. */
  readonly agentEnv: readonly string[];
}

export type Permission = { readonly ok: true } | { readonly ok: false; readonly why: string; readonly next: string };

/**
 * May this process use the verb? Yes for one that a person started in a terminal, as far as the process tree shows.
 * No variable, option or file opens the gate.
 */
export function mayAct(verb: string, world: ProcessTree, signs: AgentSigns, args: readonly string[] = []): Permission {
  const gated = whyGated(verb, args);
  if (gated === undefined) return { ok: true };
  const objection = objectionTo(world, signs);
  if (!objection) return { ok: true };
  return {
    ok: false,
    why: `"${verb}" is for a person at a terminal, because ${gated}; ${objection}.`,
    next: `Open a terminal window that no agent started and run it there: ${['fairlead', verb, ...args.map(quote)].join(' ')}`,
  };
}

/** Why the verb, or one of the options that it is given, is for a person alone. */
export function whyGated(verb: string, args: readonly string[]): string | undefined {
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  const isGiven = (option: string) => own.some((arg) => arg === option || arg.startsWith(`${option}=`));
  const gated =
    GATED_VERBS.find((entry) => entry.verb === verb) ??
    GATED_OPTIONS.find((entry) => entry.verb === verb && isGiven(entry.option));
  return gated?.why;
}

/** Whether a person started this process, as far as the process tree shows. */
export function isPerson(world: ProcessTree, signs: AgentSigns): boolean {
  return objectionTo(world, signs) === undefined;
}

/** Whether an agent is behind this process, as far as the process tree shows; also where it shows nothing. */
export function isAgent(world: ProcessTree, signs: AgentSigns): boolean {
  const self = world.find(world.self);
  return !self || agentIn(lineage(world, self.pid), signs, self.pid) !== undefined;
}

function objectionTo(world: ProcessTree, signs: AgentSigns): string | undefined {
  const self = world.find(world.self);
  if (!self) return 'the process tree cannot be read here';
  const agent = agentIn(lineage(world, self.pid), signs, self.pid);
  if (agent) return agent;
  if (!self.tty || !world.terminal.opens) return 'this process has no terminal';
  if (!world.terminal.input || !world.terminal.output) return 'its input or output is not the terminal';
  return objectionToTerminal(world, signs, self, []);
}

function agentIn(line: readonly ProcessFacts[], signs: AgentSigns, self?: number): string | undefined {
  for (const { pid, name, names, env } of line) {
    const known = pid === self ? undefined : names.find((word) => signs.agentNames.includes(word));
    if (known) return `process ${pid} (${known}), an agent, is behind this one`;
    const variable = env?.find((word) => signs.agentEnv.includes(word));
    if (variable) return `process ${pid} (${name}) was started by an agent: it carries ${variable}`;
  }
  return undefined;
}

/** Programs that can make a terminal for anything and show it to nobody. They count only inside a terminal that counts. */
const GO_BETWEEN = new RegExp(
  `^(${[
    ...['script', 'expect', 'unbuffer', 'socat', 'busybox', 'setsid', 'nohup', 'env', 'timeout', 'unshare'],
    ...['tclsh', 'python', 'ruby', 'perl', 'php'].map((name) => `${name}[\\d.]*`),
    ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'fish'],
    ...['su', 'sudo', 'doas', 'runuser', 'pkexec', 'run0', 'systemd-run', 'machinectl'],
  ].join('|')})$`,
);

/** Programs that keep terminals alive while nobody looks. They count while someone is attached from a terminal that counts. */
const MULTIPLEXER = /^(tmux|screen|zellij|dtach|abduco)(?=$|:)/i;

/** `passed` holds the terminals already looked at on the way out, so that a ring of them ends. */
function objectionToTerminal(
  world: ProcessTree,
  signs: AgentSigns,
  inside: ProcessFacts,
  passed: readonly string[],
): string | undefined {
  const { tty } = inside;
  if (!tty) return `its terminal was made by ${inside.name}, which itself runs in no terminal`;
  if (passed.includes(tty)) return 'its terminals lead nowhere';
  const line = lineage(world, inside.pid);
  const leader = line.find(({ pid }) => pid === inside.session);
  if (!leader) return `process ${inside.pid} (${inside.name}) is detached from the shell of its terminal`;

  const maker = world.maker(tty) ?? world.find(leader.parent);
  if (!maker) return undefined;
  const agent = agentIn(lineage(world, maker.pid), signs);
  if (agent) return agent;
  const outside = [...passed, tty];
  if (GO_BETWEEN.test(maker.name)) return objectionToTerminal(world, signs, maker, outside);

  const multiplexer = MULTIPLEXER.exec(maker.name)?.[0].toLowerCase();
  if (!multiplexer) return undefined;
  return attachedClients(world, maker, multiplexer).some(
    (client) => !agentIn(lineage(world, client.pid), signs) && !objectionToTerminal(world, signs, client, outside),
  )
    ? undefined
    : `nobody is attached to its ${multiplexer} from a terminal`;
}

function attachedClients(world: ProcessTree, server: ProcessFacts, multiplexer: string): ProcessFacts[] {
  // These two open the terminals of their clients; for the others any client in a terminal has to do.
  const opened = /^(tmux|screen)$/.test(multiplexer) ? world.opened(server.pid) : undefined;
  return world
    .all()
    .filter(
      ({ pid, name, tty }) =>
        tty &&
        pid !== server.pid &&
        MULTIPLEXER.exec(name)?.[0].toLowerCase() === multiplexer &&
        (!opened || opened.includes(tty)),
    );
}
