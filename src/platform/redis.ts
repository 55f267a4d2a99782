import { createClient } from '@redis/client';
import { within } from './timers.ts';

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
}

export interface RedisOptions {
  readonly isTls: boolean;
  /** Certificates to trust in place of the machine's. */
  readonly ca?: string;
  readonly username?: string;
  readonly password?: string;
  readonly database?: number;
  /** Until it is connected, and for each command. */
  readonly deadlineMs: number;
}

/** One connection, for commands and for what is pushed. It never comes back by itself: whoever has it makes a new one. */
export interface RedisConnection {
  /** Rejects with what the server said, or when the connection ended or a reply is late; then it is ended too. */
  send(command: readonly string[]): Promise<unknown>;
  /** To a channel that lies where the keys with the same tag lie. */
  subscribe(channel: string, onMessage: (message: string) => void): Promise<void>;
  isOpen(): boolean;
  /** Called once, also after `end`. */
  onEnd(work: (problem: string) => void): void;
  end(): void;
}

const CHANNEL_LOST = 'the server moved the channel elsewhere';

export async function connectRedis(address: RedisAddress, options: RedisOptions): Promise<RedisConnection> {
  const { isTls, ca, username, password, database, deadlineMs } = options;
  const client = createClient({
    RESP: 3,
    socket: {
      ...address,
      connectTimeout: deadlineMs,
      reconnectStrategy: false,
      // Whatever the environment says about certificates.
      ...(isTls ? { tls: true, rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) } : {}),
    },
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(database === undefined ? {} : { database }),
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
  });
  let ended: string | undefined;
  const listeners: ((problem: string) => void)[] = [];
  const end = (problem: string): void => {
    if (ended !== undefined) return;
    ended = problem;
    client.destroy();
    for (const listener of listeners) listener(problem);
  };
  client.on('error', (error: unknown) => end(wordsOf(error)));
  client.on('terminated', (error: unknown) => end(wordsOf(error)));
  client.on('server-sunsubscribe', () => end(CHANNEL_LOST));
  client.on('sharded-channel-moved', () => end(CHANNEL_LOST));
  /** A connection whose reply is late is of no use: nobody knows which reply would come next. */
  const inTime = async <T>(work: Promise<T>): Promise<T> => {
    const done = await within(
      deadlineMs,
      work.then(
        (value) => ({ value }),
        (error: unknown) => ({ error: new Error(ended ?? wordsOf(error)) }),
      ),
      undefined,
    );
    if (done && 'value' in done) return done.value;
    if (done) throw done.error;
    end(`no answer within ${deadlineMs} ms`);
    throw new Error(`no answer within ${deadlineMs} ms`);
  };

  try {
    await inTime(client.connect());
  } catch (error) {
    end(wordsOf(error));
    throw error;
  }
  return {
    send: (command) => inTime(client.sendCommand([...command])),
    subscribe: (channel, onMessage) => inTime(client.sSubscribe(channel, onMessage)),
    isOpen: () => ended === undefined,
    onEnd(work) {
      if (ended === undefined) listeners.push(work);
      else work(ended);
    },
    end: () => end('closed'),
  };
}

/** Several addresses that failed together have a code and no words. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ((error as NodeJS.ErrnoException).code ?? 'no connection');
}
