import type { RelaySettings } from '../engine/settings.ts';
import type { RelayEvent } from '../event/follow-up.ts';
import { packsHolding } from '../event/known-packs.ts';
import { PACKS } from '../event/packs.generated.ts';

/** Its options say who hears of records. */
export const RELAY_PACK = packsHolding('relay')[0];
const { dir = '', borrows } = PACKS[RELAY_PACK] ?? {};
/** The directory, in a project's root, for what the relay keeps in the project. */
export const RELAY_DIR = dir;
/** The program that may keep something under the same name there. */
export const OTHER_PROGRAM = borrows?.program ?? 'other';

export const RELAY_EVENTS: readonly RelayEvent[] = ['relay', 'nudge', 'heartbeat'];

/** The part of a pack's configuration that counts here. */
interface Pack {
  readonly enabled?: boolean;
  readonly mode?: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Undefined where nobody listens, so that asking costs a look. */
export function relayWanted(pack: Pack | undefined): RelaySettings | undefined {
  if (pack?.enabled !== true || pack.mode === 'off') return undefined;
  const settings = readRelaySettings(pack.options);
  return settings.events.length > 0 || settings.eventLog ? settings : undefined;
}

/** What the user wrote may be of any type; the wrong one means the default. */
export function readRelaySettings(options: Pack['options'] = {}): RelaySettings {
  const notify = isMap(options['notify']) ? options['notify'] : {};
  const { events, key_path: keyPath } = notify as { readonly events?: unknown; readonly key_path?: unknown };
  return {
    events: Array.isArray(events) ? RELAY_EVENTS.filter((event) => events.includes(event)) : [],
    timeoutMs: countIn(notify['timeout_ms'], 1, 5_000),
    ...(typeof keyPath === 'string' && keyPath !== '' && { keyPath }),
    keyRotationDays: countIn(notify['key_rotation_days'], 0, 90),
    eventLog: options['event_log'] === true,
  };
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function countIn(value: unknown, least: number, otherwise: number): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least ? value : otherwise;
}
