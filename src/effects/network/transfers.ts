import type { ShellCommand } from '../../shell/command.ts';
import { COPY_TRANSFERS } from './copies.ts';
import { SOCKET_TRANSFERS } from './sockets.ts';
import type { ReadTransfer, Transfer } from './transfer.ts';
import { WEB_TRANSFERS } from './web.ts';

const TRANSFERS: ReadonlyMap<string, ReadTransfer> = new Map(
  [WEB_TRANSFERS, COPY_TRANSFERS, SOCKET_TRANSFERS].flatMap((table) => Object.entries(table)),
);

export function moves(program: string): boolean {
  return TRANSFERS.has(program);
}

/** Several ask about the same command. */
const known = new WeakMap<ShellCommand, Transfer | 'none'>();

export function transferOf(command: ShellCommand): Transfer | undefined {
  const read = TRANSFERS.get(command.program);
  if (!read) return undefined;
  const found = known.get(command) ?? read(command) ?? 'none';
  known.set(command, found);
  return found === 'none' ? undefined : found;
}
