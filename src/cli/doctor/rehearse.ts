import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { INSTALLERS } from '../../adapters/installers.generated.ts';
import { SCOPES } from '../../adapters/installer.ts';
import type { Rehearsal, Stage } from '../../adapters/installer.ts';
import { adapterNamed } from '../../adapters/registry.ts';
import { canaryEnd, canarySession, forgetCanary, releaseCanary } from '../../engine/session/canary.ts';
import { forgetSession } from '../../ledger/rows.ts';
import { nodeFiles } from '../../platform/files.ts';
import { findOnPath } from '../../platform/find-program.ts';
import { dirname, join } from '../../platform/paths.ts';
import { pause } from '../../platform/timers.ts';
import type { CliWorld } from '../command.ts';
import { inspectInstall } from '../install/inspect.ts';
import type { Wiring } from '../install/inspect.ts';
import { startEntry } from './call-entry.ts';
import type { Called } from './call-entry.ts';
import { startsOthers, whyNotCalled, whySilent } from './prove-causes.ts';
import type { Proved } from './prove-causes.ts';
import { LONG_TEXT } from './prove.ts';
import type { ProveOptions } from './prove.ts';

/** What a program needs of the person's environment; nothing that could be a key. */
const PASSED = /^(?:PATH|HOME|LANG|LC_\w+|SHELL|TERM|TMPDIR|USER|NO_PROXY|no_proxy|FAIRLEAD_\w+)$/;
const PLAY_MS = 60_000;
const WRITTEN_MS = 3_000;

export interface Rehearsed {
  readonly events: readonly Proved[];
  /** The agents whose own program was started. */
  readonly programs: readonly string[];
  /** Why the program of an agent was not. */
  readonly missing: readonly string[];
}

/** Plays a session to the program of each wired agent that is installed, with copies of the settings that it reads here. */
export async function rehearse(root: string, world: CliWorld, options: ProveOptions): Promise<Rehearsed> {
  const all = inspectInstall(root, world).filter(({ exists }) => exists);
  const [events, programs, missing]: [Proved[], string[], string[]] = [[], [], []];
  for (const { agent, rehearsal } of INSTALLERS) {
    const called = all.filter((file) => file.agent === agent && file.own.length > 0);
    const files = all.filter((file) => file.agent === agent && file.scope !== 'plugin');
    if (!rehearsal || called.length === 0) continue;
    const program = findOnPath(rehearsal.program, world.env);
    if (!called.some((file) => files.includes(file)))
      missing.push(`only a plugin calls Fairlead, and a session that is played to ${rehearsal.program} loads none`);
    else if (program === undefined) missing.push(`${rehearsal.program} is not on PATH`);
    else if (files.some((file) => setsMore(file, rehearsal)))
      missing.push(
        `the administrator's settings of ${rehearsal.program} cannot be left out, and may name keys or addresses`,
      );
    else if (files.some((file) => startsOthers(file, world)))
      missing.push(`files in this project name hooks of others, which ${rehearsal.program} would start`);
    else {
      options.onStep(0, 1, `a session of ${rehearsal.program}`);
      programs.push(program);
      events.push(...(await play({ agent, rehearsal, program, files, all }, world, options)));
      options.onStep(1, 1, '');
    }
  }
  return { events, programs, missing };
}

/** The administrator's files are read wherever the program is started. */
function setsMore({ scope, path }: Wiring, { copyOf }: Rehearsal): boolean {
  const text = scope === 'policy' ? nodeFiles.readText(path) : undefined;
  if (text === undefined) return false;
  try {
    return copyOf(text) !== JSON.stringify(JSON.parse(text));
  } catch {
    return true;
  }
}

interface Play {
  readonly agent: string;
  readonly rehearsal: Rehearsal;
  readonly program: string;
  readonly files: readonly Wiring[];
  readonly all: readonly Wiring[];
}

async function play(playing: Play, world: CliWorld, options: ProveOptions): Promise<readonly Proved[]> {
  const { rehearsal, program, files } = playing;
  const { store, clock, memory } = world.engine();
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-prove-')));
  const [mark, session] = [randomBytes(6).toString('hex'), canarySession(randomBytes(6).toString('hex'))];
  const bodies: string[] = [];
  let server: Server | undefined;
  try {
    const place = { session, project: join(dir, 'project'), own: join(dir, 'own') };
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8');
        const { method = '', url = '' } = request;
        const { status, type, body: reply } = rehearsal.answer({ method, path: url, body }, { ...place, model: '' });
        if (status === 200 && body !== '') bodies.push(body);
        response.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(reply);
      });
    });
    const stage: Stage = { ...place, model: await listen(server) };
    setUp(rehearsal, stage, files);
    const canary = { text: `Canary ${mark} of \`fairlead doctor --prove\`: nothing to do on`, long: LONG_TEXT };
    releaseCanary(store, session, canary, clock.now(), options.limitMs);
    const { args, env } = rehearsal.start(stage);
    const passed = Object.fromEntries(Object.entries(world.env).filter(([name]) => PASSED.test(name)));
    const before = clock.now();
    const called = await startEntry([program, ...args], {
      input: '',
      cwd: stage.project,
      env: { ...passed, ...env },
      limitMs: Math.min(PLAY_MS, options.limitMs),
    });
    const written = await eventsOf(session, playing, world);
    return judgePlay(playing, { mark, bodies, called, written, ms: clock.now() - before, ...options }, world);
  } finally {
    server?.close();
    server?.closeAllConnections();
    forgetCanary(store, session);
    if (memory.db) forgetSession(memory.db, session);
    rmSync(dir, { recursive: true, force: true });
  }
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

function setUp(rehearsal: Rehearsal, stage: Stage, files: readonly Wiring[]): void {
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
  };
  const copies = rehearsal.copies(stage);
  for (const scope of SCOPES) {
    const file = files.find((each) => each.scope === scope);
    const text = file && nodeFiles.readText(file.path);
    if (text !== undefined) put(copies[scope], rehearsal.copyOf(text));
  }
  for (const [path, text] of Object.entries(rehearsal.files(stage))) put(path, text);
}

/** The last events are written after the program has ended. */
async function eventsOf(session: string, { rehearsal }: Play, world: CliWorld): Promise<ReadonlySet<string>> {
  const { memory, clock } = world.engine();
  const until = clock.now() + WRITTEN_MS;
  for (;;) {
    const rows = memory.db?.prepare('SELECT DISTINCT event FROM events WHERE session = ?').all(session) ?? [];
    const written = new Set((rows as { event: string }[]).map(({ event }) => event));
    if (written.size >= rehearsal.played.length || clock.now() > until) return written;
    await pause(100);
  }
}

interface Played extends Pick<ProveOptions, 'longest'> {
  readonly mark: string;
  readonly bodies: readonly string[];
  readonly called: Called;
  readonly written: ReadonlySet<string>;
  readonly ms: number;
}

function judgePlay(playing: Play, played: Played, world: CliWorld): readonly Proved[] {
  const { agent, rehearsal, files, all } = playing;
  const events = (adapterNamed(agent)?.events ?? []).filter(({ canonical }) => rehearsal.played.includes(canonical));
  const sent = played.bodies.join('\n');
  const refusal = rehearsal.refusal(played.bodies, played.called.output);
  return events.flatMap((event): Proved[] => {
    const wiring = files.find(({ wired }) => wired.includes(event.name));
    const entry = wiring?.own.find((own) => own.event === event.name);
    if (!wiring || !entry) return [];
    const isHeard = rehearsal.heard.includes(event.canonical);
    const isTold = sent.includes(`${played.mark} of`) && sent.includes(`nothing to do on ${event.canonical}.`);
    const isWhole = sent.includes(canaryEnd(event.canonical));
    const fired = isTold || played.written.has(event.canonical);
    const told = { agent, event: event.name, file: wiring.path, by: 'agent', ms: played.ms, fired } as const;
    if (fired && !isHeard) return [{ ...told, delivered: 'none' }];
    if (isTold && isWhole) return [{ ...told, delivered: 'whole' }];
    const cause = isTold
      ? `the text was cut: attention.event allows ${played.longest} characters`
      : (whyNotCalled(wiring, entry, all, world) ??
        (refusal === undefined
          ? (played.called.problem ??
            whySilent(wiring, '', fired, { status: undefined, all, longest: played.longest }, world))
          : `a hook stops it first, and says: ${refusal.slice(0, 200)}`));
    return [{ ...told, delivered: isTold ? 'cut' : 'dropped', cause }];
  });
}
