import { expect } from 'vitest';
import { makeHome } from './home.ts';
import type { Home, Transport } from './home.ts';
import { runSession } from './session.ts';
import type { Session, SessionOptions } from './session.ts';
import { flawsOf } from './flaws.ts';

type Run = (options: SessionOptions) => Promise<Session>;

export interface InHomeOptions {
  readonly transport: Transport;
  /** Rules of the person, by name. */
  readonly rules?: Readonly<Record<string, string>>;
  /** The person's config.yaml. */
  readonly config?: string;
  readonly init?: readonly string[];
  readonly checkout?: string;
}

/**
 * Installs into a new home, lets `work` run sessions there, and takes it all away again. Whatever a test is about: no
 * session may have met a failing hook, and no process may be left.
 */
export async function inHome(
  { transport, rules = {}, config, init = [], checkout }: InHomeOptions,
  work: (home: Home, run: Run) => Promise<void>,
): Promise<void> {
  const home = makeHome(checkout);
  try {
    for (const [name, text] of Object.entries(rules)) home.rule(name, text);
    if (config !== undefined) home.config(config);
    await home.init(transport, ...init);
    await work(home, async (options) => {
      const session = await runSession(home, options);
      expect(flawsOf(session, home), 'flaws of the session').toEqual([]);
      return session;
    });
  } finally {
    expect(await home.remove(), 'processes left').toEqual([]);
  }
}
