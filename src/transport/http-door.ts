import type { Files } from '../platform/files.ts';
import { listenHttp } from '../platform/http-listener.ts';
import type { HttpListener } from '../platform/http-listener.ts';
import type { Daemon } from './daemon.ts';
import { readHttpAccess } from './http-access.ts';
import type { HttpAccess } from './http-access.ts';
import { serveHttp } from './http-server.ts';

/** A port that is taken is tried again this often. */
const RETRY_MS = 15_000;

export interface HttpDoor {
  /** Opens it once an installation has asked for it, and follows a change of port or token. */
  look(now: number): Promise<void>;
  /** Resolves when the last connection is closed. */
  close(): Promise<void>;
}

export function createHttpDoor(
  files: Files,
  run: string,
  daemon: Daemon,
  onFailure: (what: string, error: unknown) => void,
): HttpDoor {
  let access: HttpAccess | undefined;
  let listener: HttpListener | undefined;
  let triedAt = 0;
  let reported: string | undefined;
  let looked = Promise.resolve();

  async function open({ port, token }: HttpAccess): Promise<void> {
    try {
      listener = await listenHttp(port, serveHttp({ port, token }, daemon.answerHttp, daemon.refusedHttp));
      reported = undefined;
      daemon.setHttp({ port });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const next = `run \`fairlead init\` wherever HTTP is used and delete port and token in ${run}; or free the port`;
      daemon.setHttp({
        port,
        problem: `port ${port} cannot be used (${why}); whoever has it gets the agent's events with the token and can answer in the engine's place; ${next}`,
      });
      if (why !== reported) onFailure('listening for HTTP', why);
      reported = why;
    }
  }

  async function look(now: number): Promise<void> {
    const wanted = readHttpAccess(files, run);
    const changed = wanted?.port !== access?.port || wanted?.token !== access?.token;
    if (!changed && (listener || !wanted || now - triedAt < RETRY_MS)) return;
    void listener?.close();
    listener = undefined;
    access = wanted;
    triedAt = now;
    if (wanted) await open(wanted);
    else daemon.setHttp(undefined);
  }

  return {
    look(now) {
      // One after the other: a change while a port is being opened would leave that one open for ever.
      looked = looked.then(
        () => look(now),
        () => look(now),
      );
      return looked;
    },
    close: async () => listener?.close(),
  };
}
