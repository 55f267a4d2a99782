import { comesAs } from '../../adapters/adapter.ts';
import type { Delivery, Installer, Launch, Scope } from '../../adapters/installer.ts';
import { hookUrl } from '../../transport/http-access.ts';
import type { HttpAccess } from '../../transport/http-access.ts';
import { CommandError, UsageError } from '../command.ts';
import type { CliWorld } from '../command.ts';
import type { Client } from './client.ts';
import type { FailClosed } from './fail-closed.ts';
import { followsRules } from './heard.ts';
import type { Heard } from './heard.ts';
import { refusalOf } from './inspect.ts';
import type { Transport, Wiring } from './inspect.ts';
import { PROGRAM } from './launcher.ts';

const WORDS = ['auto', 'http', 'command'];

/** Whoever asks for posts names what they cost; nothing can prove that a machine has no other users, services included. */
export const DESPITE_OTHERS = 'despite-other-users';
const RISK = `Over HTTP another user of this machine, or a service that runs as one, can take the port while the engine is down. That user then gets the token and all that the agent posts, and can allow or rewrite its calls.
Run \`${PROGRAM} init\` without --transport http: only your own processes can answer a command.
If you accept the risk, add --${DESPITE_OTHERS}.`;

/** Whether events are posted. `auto` is the command transport: nobody else can answer it, and it works while the engine is away. */
export function wantsHttp(word: string, scope: Scope, isRiskNamed: boolean): boolean {
  if (!WORDS.includes(word)) throw new UsageError(`--transport is one of ${WORDS.join(', ')}, not "${word}"`);
  if (isRiskNamed && word !== 'http') throw new UsageError(`--${DESPITE_OTHERS} belongs to --transport http`);
  if (word === 'http' && scope === 'project') {
    throw new CommandError(
      'the HTTP transport needs a token of your own engine, and a shared file cannot hold one. Use --scope local or --scope user.',
    );
  }
  if (word === 'http' && !isRiskNamed) throw new CommandError(RISK);
  return word === 'http';
}

/** What all agents of one installation share. */
export interface Chosen {
  readonly scope: Scope;
  readonly client: Client;
  readonly launch: Launch;
  /** With it, events are posted. */
  readonly access?: HttpAccess;
  readonly failClosed?: FailClosed;
  readonly heard: Heard;
  /** The command of a status line that is wanted. */
  readonly statusLine?: string;
}

export function deliveryFor(
  { agent, posting }: Installer,
  { launch, access, failClosed, heard, scope, statusLine }: Chosen,
): Delivery {
  return {
    launch,
    inProject: scope !== 'user',
    ...(statusLine === undefined ? {} : { statusLine }),
    ...(access && posting ? { http: { url: hookUrl(access.port, agent), token: access.token } } : {}),
    ...(followsRules(scope) ? { hears: (event) => heard.isNeeded(agent, event) } : {}),
    ...(failClosed ? { failsClosed: (event) => failClosed(scope, event) } : {}),
  };
}

/** What an installation listens to. */
export function eventsFor({ agent, wired }: Installer, { heard, scope }: Pick<Chosen, 'heard' | 'scope'>) {
  return followsRules(scope)
    ? wired.filter((event) => comesAs(event).some((name) => heard.isNeeded(agent, name)))
    : wired;
}

/** For people: what carries events from now on, and what has carried them if that was something else. */
export function describeTransport(installer: Installer, chosen: Chosen, before: Transport | undefined): string {
  const { client, scope } = chosen;
  const wired = eventsFor(installer, chosen);
  const access = installer.posting && chosen.access;
  const posted = wired.filter((event) => installer.posting?.events.includes(event));
  const now = access ? 'http' : client.kind === 'native' ? 'native client' : 'node client';
  const rest = wired.filter((event) => !posted.includes(event)).map(({ name }) => name);
  const text = access
    ? `http, ${posted.length} events posted to 127.0.0.1:${access.port}; ${rest.join(', ')} by ${describeClient(client)}`
    : `command, by ${scope === 'project' ? `the \`${PROGRAM}\` on each person's PATH` : describeClient(client)}`;
  return before === undefined || before === now ? text : `${text}; so far: ${before}`;
}

const ORIGINS = { released: 'of this package', before: 'built before', now: 'built just now' } as const;

export function describeClient(client: Client): string {
  if (client.kind === 'node') return `Node, because ${client.why}`;
  if (client.built === 'later') return `the native client, which would be built`;
  const linked = client.isStatic === true ? 'statically linked' : 'dynamically linked';
  return `the native client (${ORIGINS[client.built]}, ${linked})`;
}

/** What would keep posts from arriving, or show their token to others. */
export function* warningsForHttp(
  installer: Installer,
  access: HttpAccess,
  wirings: readonly Wiring[],
  world: Pick<CliWorld, 'env'>,
): Generator<string> {
  if (!installer.posting) return;
  const url = hookUrl(access.port, installer.agent);
  const setting = refusalOf(url, installer.agent, wirings);
  if (setting !== undefined)
    yield `${setting} in the agent's settings does not allow ${url}, so the agent will not post`;
  const proxy = installer.posting.proxyInTheWay(world.env);
  if (proxy !== undefined)
    yield `${proxy} is set and NO_PROXY does not name 127.0.0.1: an agent started from here would send events and the token to the proxy`;
}
