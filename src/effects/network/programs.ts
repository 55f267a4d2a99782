import { aboutPath } from '../paths/path-effect.ts';
import { isHollow } from '../paths/resolve-path.ts';
import type { ProgramTable, ReadEffects } from '../scene.ts';
import { hostOf, isMetadata } from './hosts.ts';
import { transferOf } from './transfers.ts';

/** Credentials of the machine, for whoever asks from it. */
export const METADATA = {
  kind: 'read-secret',
  how: 'metadata',
  target: 'the credentials of this cloud machine',
  of: 'secret',
} as const;

/** What a transfer does here: files that it makes, and a shell that it gives away. What leaves is told with the flows. */
const readTransfer: ReadEffects = (command, scene) => {
  const asked = command.words.find(({ value }) => isMetadata(hostOf(value)));
  if (asked) return [scene.effect(command, { ...METADATA, host: hostOf(asked.value) })];
  const transfer = transferOf(command);
  if (!transfer) return [];
  const { host = '', saves = [], serves } = transfer;
  const from = host === '' ? {} : { host };
  if (serves === true) {
    return [
      scene.effect(command, { kind: 'run-remote', how: 'shell-served', target: host === '' ? 'shell' : host, ...from }),
    ];
  }
  return saves.flatMap((word) => {
    const placed = scene.place(word, command);
    if (placed.path !== undefined && isHollow(placed.path)) return [];
    return [scene.effect(command, { ...aboutPath('overwrite', placed, 'download'), ...from })];
  });
};

export const NETWORK_PROGRAMS: ProgramTable = Object.fromEntries(
  'curl curlie wget wget2 http https xh xhs aria2c fetch axel nc ncat netcat socat scp ttyd gotty'
    .split(' ')
    .map((program) => [program, readTransfer]),
);
