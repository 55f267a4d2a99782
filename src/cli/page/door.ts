import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isSameSecret } from '../../transport/same-secret.ts';

/** How long a ticket waits for the browser that it was made for. */
const TICKET_MS = 120_000;
const MOST_KEYS = 100;
const KEY_BYTES = 32;

export interface Door {
  /** For the verb, which has read `secret` in a file that is the person's alone. */
  readonly secret: string;
  /** Lets one browser in, once. */
  ticket(): string;
  /** The request names this very place. */
  isHere(headers: IncomingHttpHeaders): boolean;
  /** No other page sent it. */
  isOwn(headers: IncomingHttpHeaders): boolean;
  /** The key that a browser keeps for a ticket that is still good; undefined otherwise. */
  enter(ticket: string): string | undefined;
  /** The browser was let in. */
  knows(headers: IncomingHttpHeaders): boolean;
  mayAskForTicket(headers: IncomingHttpHeaders): boolean;
}

export function createDoor(port: number, now: () => number): Door {
  // Browsers leave the port out where it is the usual one.
  const hosts = new Set(
    ['127.0.0.1', 'localhost'].flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]),
  );
  const origins = new Set([...hosts].map((host) => `http://${host}`));
  const secret = makeKey();
  const tickets = new Map<string, number>();
  const keys: string[] = [];

  const isHere: Door['isHere'] = ({ host }) => hosts.has(host ?? '');
  const isOwn: Door['isOwn'] = ({ origin, 'sec-fetch-site': site }) =>
    (origin === undefined || origins.has(origin)) && (site === undefined || site === 'same-origin');

  return {
    secret,
    isHere,
    isOwn,
    ticket() {
      const made = makeKey();
      tickets.set(made, now() + TICKET_MS);
      return made;
    },
    enter(ticket) {
      const until = tickets.get(ticket);
      tickets.delete(ticket);
      for (const [other, end] of tickets) if (end < now()) tickets.delete(other);
      if (until === undefined || until < now()) return undefined;
      const key = makeKey();
      keys.push(key);
      if (keys.length > MOST_KEYS) keys.shift();
      return key;
    },
    // No cookie: a browser sends those to every port of a machine.
    knows: ({ authorization = '' }) => keys.some((key) => isSameSecret(authorization, `Page ${key}`)),
    mayAskForTicket: ({ origin, authorization = '', 'sec-fetch-site': site }) =>
      origin === undefined && site === undefined && isSameSecret(authorization, `Bearer ${secret}`),
  };
}

function makeKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}
