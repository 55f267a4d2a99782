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
  /** What a browser keeps for a ticket that is still good; undefined otherwise. */
  enter(ticket: string): string | undefined;
  /** The browser was let in. */
  knows(headers: IncomingHttpHeaders): boolean;
  mayAskForTicket(headers: IncomingHttpHeaders): boolean;
}

export function createDoor(port: number, now: () => number): Door {
  const hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`]);
  const origins = new Set([...hosts].map((host) => `http://${host}`));
  // Cookies do not tell ports apart.
  const cookie = `fairlead-page-${port}`;
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
      return `${cookie}=${key}; Path=/; HttpOnly; SameSite=Strict`;
    },
    knows({ cookie: sent = '' }) {
      const held = sent.split('; ').find((each) => each.startsWith(`${cookie}=`));
      const key = held?.slice(cookie.length + 1) ?? '';
      return keys.some((one) => isSameSecret(one, key));
    },
    mayAskForTicket: ({ origin, authorization = '', 'sec-fetch-site': site }) =>
      origin === undefined && site === undefined && isSameSecret(authorization, `Bearer ${secret}`),
  };
}

function makeKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}
