import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from '../../platform/http-listener.ts';
import { UsageError, CommandError } from '../command.ts';
import type { Door } from './door.ts';
import type { Live } from './live.ts';
import type { Views } from './views.ts';
import { outgoing } from '../outgoing.ts';

/** Longer than tabs take to ask after the same news; what else may have changed meanwhile is shown so much later. */
const KEPT_MS = 1_000;

interface Kept {
  readonly at: number;
  readonly newest: number;
  readonly answer: Promise<unknown>;
}

/** One answer for all tabs that ask for the same after the same news. */
export function createSharedAnswers(
  newest: () => number,
  now: () => number,
): (question: string, find: () => Promise<unknown>) => Promise<unknown> {
  const kept = new Map<string, Kept>();
  return (question, find) => {
    const [at, row] = [now(), newest()];
    for (const [other, { at: then }] of kept) if (at - then >= KEPT_MS) kept.delete(other);
    const known = kept.get(question);
    if (known?.newest === row) return known.answer;
    const answer = find();
    kept.set(question, { at, newest: row, answer });
    // What failed is tried again.
    answer.catch(() => kept.get(question)?.answer === answer && kept.delete(question));
    return answer;
  };
}

/** A file of the page itself. */
export interface Asset {
  readonly type: string;
  readonly body: Uint8Array;
}

export interface PageParts {
  readonly door: Door;
  readonly views: Views;
  readonly live: Live;
  asset(name: string): Asset | undefined;
  now(): number;
}

const MOST_BODY = 200;

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const;

/**
 * Serves the page on loopback. The page itself holds nothing, so whoever names this very place gets it; data goes only to a browser
 * that came with a ticket, and to no other page. Nothing here changes anything.
 */
export function servePage({ door, views, live, asset, now }: PageParts): RequestHandler {
  const share = createSharedAnswers(() => live.newest, now);

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://page');
    const { headers, method } = request;
    if (!door.isHere(headers)) return refuse(response, 403);
    if (method === 'POST' && pathname === '/enter') {
      if (!door.isOwn(headers)) return refuse(response, 403);
      return readShort(request, (ticket) => {
        const key = door.enter(ticket);
        if (key === undefined) refuse(response, 403);
        else sendJson(response, { key });
      });
    }
    if (method === 'POST' && pathname === '/ticket') {
      if (!door.mayAskForTicket(headers)) return refuse(response, 403);
      return sendJson(response, { ticket: door.ticket() });
    }
    if (method !== 'GET') return refuse(response, 405);
    if (!pathname.startsWith('/api/')) return sendAsset(response, pathname);
    if (!door.isOwn(headers) || !door.knows(headers)) return refuse(response, 403);
    if (pathname === '/api/live') return join(response);
    sendView(response, pathname.slice('/api/'.length), searchParams);
  }

  function sendAsset(response: ServerResponse, pathname: string): void {
    const found = asset(pathname === '/' ? 'index.html' : pathname.slice(1));
    if (found) send(response, 200, { 'Content-Type': found.type }, found.body);
    else refuse(response, 404);
  }

  function join(response: ServerResponse): void {
    response.writeHead(200, { ...HEADERS, 'Content-Type': 'text/event-stream' });
    live.join(response);
  }

  function sendView(response: ServerResponse, view: string, params: URLSearchParams): void {
    const find = () => views.answer(view, (name) => params.get(name) ?? undefined);
    share(`${view}?${params.toString()}`, find).then(
      (data) => (data === undefined ? refuse(response, 404) : sendJson(response, data)),
      (error: unknown) => {
        const isAsked = error instanceof UsageError || error instanceof CommandError;
        sendJson(response, { error: error instanceof Error ? error.message : String(error) }, isAsked ? 404 : 500);
      },
    );
  }

  return (request, response, isLast) => {
    if (isLast()) response.shouldKeepAlive = false;
    try {
      answer(request, response);
    } catch {
      refuse(response, 400);
    }
  };
}

function send(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body?: Uint8Array | string,
): void {
  if (response.headersSent) return;
  response.writeHead(status, { ...HEADERS, ...headers });
  response.end(body);
}

function sendJson(response: ServerResponse, data: unknown, status = 200): void {
  // Names of files and texts of others are in all of it.
  const body = JSON.stringify(data, (_, value: unknown) => (typeof value === 'string' ? outgoing(value) : value));
  send(response, status, { 'Content-Type': 'application/json' }, body);
}

function refuse(response: ServerResponse, status: number): void {
  send(response, status, {});
}

/** A ticket is short; more is none. */
function readShort(request: IncomingMessage, take: (text: string) => void): void {
  let text = '';
  request.on('data', (chunk: Uint8Array) => {
    if (text.length <= MOST_BODY) text += Buffer.from(chunk).toString('latin1');
  });
  request.on('end', () => take(text.length > MOST_BODY ? '' : text));
}
