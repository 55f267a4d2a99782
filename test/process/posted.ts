import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../../src/cli/install/free-port.ts';
import { put } from './daemon-home.ts';
import type { Home } from './daemon-home.ts';

export interface Posted {
  readonly port: number;
  readonly token: string;
}

/** From here on some agent of this home posts its events, so that its daemon listens, and one-shots see to it that one does. */
export async function letPost({ run }: Home, free?: number): Promise<Posted> {
  const [port, token] = [free ?? (await findFreePort()), 'ab'.repeat(32)];
  mkdirSync(run, { recursive: true, mode: 0o700 });
  put(join(run, 'port'), `${port}\n`);
  put(join(run, 'token'), `${token}\n`);
  return { port, token };
}
