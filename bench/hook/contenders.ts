import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Bar } from './draw-bars.ts';
import type { createHttpClient, HttpHook } from './http-client.ts';
import { fill } from './payloads.ts';
import type { readPayloads } from './payloads.ts';
import { installSafetyNet } from './peers.ts';
import type { HookRun, Spawner } from './spawner.ts';

export interface Contender {
  readonly name: string;
  readonly kind: Bar['kind'];
  /** Why it takes no part. */
  readonly missing?: string;
  /** By which of its doors an event reaches the daemon. */
  readonly door?: 'socket' | 'http';
  run(call: number): Promise<HookRun>;
  /** Whether it did its work: a benchmark of failures would look fast. */
  isRight(run: HookRun): boolean;
}

export interface Field {
  readonly root: string;
  readonly scratch: string;
  /** Starts processes as an agent does. */
  readonly spawner: Spawner;
  /** Starts them as cheaply as the system allows; undefined without a C compiler. */
  readonly cheapest: Spawner | undefined;
  readonly http: ReturnType<typeof createHttpClient>;
  readonly payloads: ReturnType<typeof readPayloads>;
  readonly command: readonly string[];
  readonly ours: HttpHook;
  readonly echo: HttpHook;
}

export const NAMES = {
  floor: 'spawn of `true`',
  allow: 'Fairlead command, allow',
  deny: 'Fairlead command, deny',
  httpAllow: 'Fairlead HTTP, allow',
  httpDeny: 'Fairlead HTTP, deny',
  echo: 'bare Node HTTP JSON echo',
  jq: 'bash + 3 jq + state file',
  node: 'Node stdin hook',
  peerAllow: 'cc-safety-net 2.4.5, allow',
  peerDeny: 'cc-safety-net 2.4.5, deny',
  cheapFloor: 'spawn of `true`, from C',
  cheapAllow: 'Fairlead command, allow, from C',
  cheapDeny: 'Fairlead command, deny, from C',
} as const;

/** Compared with each other alone. */
export const FROM_C: readonly string[] = [NAMES.cheapFloor, NAMES.cheapAllow, NAMES.cheapDeny];

const isSilent = ({ ok, output }: HookRun) => ok && output.trim() === '';
const isNeutral = ({ ok, output }: HookRun) => ok && output.trim() === '{}';
const isDenied = ({ ok, output }: HookRun) => ok && output.includes('"permissionDecision":"deny"');

export function gather(field: Field): Contender[] {
  const { root, scratch, spawner, cheapest, http, payloads, command, ours, echo } = field;
  const program = (argv: readonly string[], payload: string, by = spawner) => ({
    run: (call: number) => by.run(argv, fill(payload, 1, call)),
  });
  const cheaply = (argv: readonly string[], payload: string) =>
    cheapest ? program(argv, payload, cheapest) : { ...program(argv, payload), missing: 'no C compiler' };
  const post = (hook: HttpHook, payload: string) => ({ run: (call: number) => http.run(hook, fill(payload, 1, call)) });
  const { allow, deny } = payloads;
  const nothing = [pathOf('true') ?? 'true'];
  const bash = [pathOf('bash') ?? 'bash', join(root, 'bench', 'hook', 'jq-hook.sh')];
  const node = [process.execPath, join(root, 'bench', 'hook', 'node-hook.cjs')];
  const jqMissing = pathOf('jq') === undefined ? { missing: 'jq is not installed' } : {};
  const peer = installSafetyNet(scratch);
  const [peerArgv, peerMissing] = typeof peer === 'string' ? [[], { missing: peer }] : [peer, {}];
  const socket = { kind: 'ours', door: 'socket' } as const;
  const web = { kind: 'ours', door: 'http' } as const;
  return [
    { name: NAMES.floor, kind: 'floor', ...program(nothing, allow), isRight: isSilent },
    { name: NAMES.allow, ...socket, ...program(command, allow), isRight: isSilent },
    { name: NAMES.deny, ...socket, ...program(command, deny), isRight: isDenied },
    { name: NAMES.echo, kind: 'floor', ...post(echo, allow), isRight: ({ ok }) => ok },
    { name: NAMES.httpAllow, ...web, ...post(ours, allow), isRight: isNeutral },
    { name: NAMES.httpDeny, ...web, ...post(ours, deny), isRight: isDenied },
    { name: NAMES.jq, kind: 'other', ...program(bash, allow), isRight: isSilent, ...jqMissing },
    { name: NAMES.node, kind: 'other', ...program(node, allow), isRight: isNeutral },
    { name: NAMES.peerAllow, kind: 'other', ...program(peerArgv, allow), isRight: isSilent, ...peerMissing },
    { name: NAMES.peerDeny, kind: 'other', ...program(peerArgv, deny), isRight: isDenied, ...peerMissing },
    { name: NAMES.cheapFloor, kind: 'floor', ...cheaply(nothing, allow), isRight: isSilent },
    { name: NAMES.cheapAllow, ...socket, ...cheaply(command, allow), isRight: isSilent },
    { name: NAMES.cheapDeny, ...socket, ...cheaply(command, deny), isRight: isDenied },
  ];
}

function pathOf(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}
