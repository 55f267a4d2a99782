import { isLoopback } from '../../platform/loopback.ts';

export const LOG_KINDS = ['decisions', 'events', 'off'] as const;

/** Where the record goes in the standard form, and what of it. Only the person's own settings say so. */
export interface OtlpSettings {
  /** The base address of a receiver; without one nothing is sent. */
  readonly endpoint?: string;
  /** Lines of `name: value`, in a file that is closed to others. */
  readonly headersFile?: string;
  /** `decisions`: events on which a rule had something to say. */
  readonly logs: (typeof LOG_KINDS)[number];
  readonly metrics: boolean;
  /** Also texts, as the ledger keeps them: reasons and the arguments of calls. */
  readonly bodies: boolean;
  readonly gzip: boolean;
  /** Says yes to http beyond this machine. */
  readonly insecure: boolean;
  readonly timeoutSeconds: number;
  readonly intervalSeconds: number;
}

export const OTLP_DEFAULTS: OtlpSettings = {
  logs: 'decisions',
  metrics: true,
  bodies: false,
  gzip: true,
  insecure: false,
  timeoutSeconds: 10,
  intervalSeconds: 5,
};

/** Why an address cannot be used; undefined when it can. Its parts that may be secret are not repeated. */
export function endpointProblem(text: string, insecure: boolean): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return 'the endpoint is no http or https address';
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return 'the endpoint has a password, a query or a fragment; headersFile is the place for keys';
  if (url.protocol === 'http:' && !insecure && !isLoopback(url.hostname))
    return 'the endpoint is http and not on this machine; use https, or say insecure: true';
  return undefined;
}

export type Signal = 'logs' | 'metrics';

/** The address of a signal, below the base. */
export function signalUrl(endpoint: string, signal: Signal): URL {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/${signal}`;
  return url;
}

/** As much of an address as anybody may see. */
export function placeOf(endpoint: string): string {
  return URL.canParse(endpoint) ? new URL(endpoint).origin : 'an address that is none';
}
