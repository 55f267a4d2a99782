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
  run(call: number): Promise<HookRun>;
  /** Whether it did its work: a benchmark of failures would look fast. */
  isRight(run: HookRun): boolean;
}

export interface Field {
  readonly root: string;
  readonly scratch: string;
  readonly spawner: Spawner;
  readonly nodeSpawner: Spawner;
  readonly http: ReturnType<typeof createHttpClient>;
  readonly payloads: ReturnType<typeof readPayloads>;
  readonly command: readonly string[];
  readonly ours: HttpHook | string;
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
  nodeFloor: 'spawn of `true`, by Node',
  nodeAllow: 'Fairlead command, allow, by Node',
} as const;

const isSilent = ({ ok, output }: HookRun) => ok && output.trim() === '';
const isNeutral = ({ ok, output }: HookRun) => ok && output.trim() === '{}';
const isDenied = ({ ok, output }: HookRun) => ok && output.includes('"permissionDecision":"deny"');

export function gather(field: Field): Contender[] {
  const { root, scratch, spawner, nodeSpawner, http, payloads, command, ours, echo } = field;
  const program =
    (argv: readonly string[], payload: string, by = spawner) =>
    (call: number) =>
      by.run(argv, fill(payload, 1, call));
  const post = (hook: HttpHook | string, payload: string) => (call: number) =>
    typeof hook === 'string' ? Promise.reject(new Error(hook)) : http.run(hook, fill(payload, 1, call));
  const oursMissing = typeof ours === 'string' ? { missing: ours } : {};
  const nothing = [pathOf('true') ?? '/bin/true'];
  const peer = installSafetyNet(scratch);
  const [peerArgv, peerMissing] = typeof peer === 'string' ? [[], { missing: peer }] : [peer.argv, {}];
  const bash = [pathOf('bash') ?? 'bash', join(root, 'bench', 'hook', 'jq-hook.sh')];
  const jqMissing = pathOf('jq') === undefined ? { missing: 'jq is not installed' } : {};
  const nodeHook = [process.execPath, join(root, 'bench', 'hook', 'node-hook.cjs')];
  return [
    { name: NAMES.floor, kind: 'floor', run: program(nothing, payloads.allow), isRight: isSilent },
    { name: NAMES.allow, kind: 'ours', run: program(command, payloads.allow), isRight: isSilent },
    { name: NAMES.deny, kind: 'ours', run: program(command, payloads.deny), isRight: isDenied },
    { name: NAMES.echo, kind: 'floor', run: post(echo, payloads.allow), isRight: ({ ok }) => ok },
    { name: NAMES.httpAllow, kind: 'ours', run: post(ours, payloads.allow), isRight: isNeutral, ...oursMissing },
    { name: NAMES.httpDeny, kind: 'ours', run: post(ours, payloads.deny), isRight: isDenied, ...oursMissing },
    { name: NAMES.jq, kind: 'other', run: program(bash, payloads.allow), isRight: isSilent, ...jqMissing },
    { name: NAMES.node, kind: 'other', run: program(nodeHook, payloads.allow), isRight: isNeutral },
    { name: NAMES.peerAllow, kind: 'other', run: program(peerArgv, payloads.allow), isRight: isSilent, ...peerMissing },
    { name: NAMES.peerDeny, kind: 'other', run: program(peerArgv, payloads.deny), isRight: isDenied, ...peerMissing },
    { name: NAMES.nodeFloor, kind: 'floor', run: program(nothing, payloads.allow, nodeSpawner), isRight: isSilent },
    { name: NAMES.nodeAllow, kind: 'ours', run: program(command, payloads.allow, nodeSpawner), isRight: isSilent },
  ];
}

function pathOf(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}
