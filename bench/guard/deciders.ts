import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Asked, Decided, Told } from './decider.ts';

/** An engine that has answered so few is cold, and has forgotten the processor's caches after so long a silence. */
const COLD_EVENTS = 20;
const SILENCE_MS = 250;
/** A session's work before anything counts. */
const WARM_EVENTS = 600;

export interface Decider {
  decide(what: Asked['what'], count: number): Promise<readonly Decided[]>;
  close(): void;
}

async function startDecider(file: string, args: readonly string[], events: number): Promise<Decider> {
  const child = fork(file, args);
  const decide = (what: Asked['what'], count: number) =>
    new Promise<readonly Decided[]>((resolve, reject) => {
      const ended = () => reject(new Error('an engine ended'));
      child.once('exit', ended);
      child.once('message', (told: Told) => {
        child.off('exit', ended);
        if ('error' in told) reject(new Error(told.error));
        else resolve(told.decided);
      });
      child.send({ what, count } satisfies Asked);
    });
  await decide('any', events);
  return { decide, close: () => child.disconnect() };
}

/** An engine at work. */
export const startWarm = (file: string, args: readonly string[] = []) => startDecider(file, args, WARM_EVENTS);

/** An engine that has hardly begun, which is asked for one decision after each silence. */
export async function startCold(file: string, args: readonly string[] = []) {
  const { decide, close } = await startDecider(file, args, COLD_EVENTS);
  return {
    close,
    async micros(what: Decided['kind']): Promise<number> {
      await sleep(SILENCE_MS);
      const [one] = await decide(what, 1);
      return one?.micros ?? Number.NaN;
    },
  };
}
