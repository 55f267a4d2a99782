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

export function transferOf(command: ShellCommand): Transfer | undefined {
  return TRANSFERS.get(command.program)?.(command);
}
