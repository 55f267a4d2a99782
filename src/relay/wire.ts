import type { RelayEvent, RelayRecord, RelayValues } from '../event/follow-up.ts';
import { redactValue, shorten } from '../ledger/redact.ts';
import { basename } from '../platform/paths.ts';

/** A record as it leaves the machine: the names are those that readers of such records know. */
export interface WireRecord {
  readonly event: string;
  readonly message: string;
  readonly detail: { readonly hook: string; readonly variant: string; readonly variables?: RelayValues };
  readonly session_id?: string;
  /** RFC 3339, in UTC. */
  readonly timestamp: string;
  readonly project: string;
}

const MAX_TEXT = 2_000;

export function toWire(record: RelayRecord, event: string = record.event): WireRecord {
  const { rule, variant, message, variables, session, at, root } = record;
  return {
    event,
    message: shorten(message, MAX_TEXT),
    detail: {
      hook: rule,
      variant,
      ...(variables && { variables: redactValue(variables, MAX_TEXT) as RelayValues }),
    },
    ...(session !== undefined && { session_id: session }),
    timestamp: new Date(at).toISOString(),
    project: basename(root),
  };
}

/**
 * As what a subscriber gets a record: a nudge goes to both of its channels, as one record under the name that was asked for.
 * Undefined when the subscriber did not ask for it.
 */
export function channelOf(event: string, subscribed: readonly RelayEvent[]): RelayEvent | undefined {
  const channels: readonly RelayEvent[] =
    event === 'nudge' ? ['nudge', 'relay'] : event === 'heartbeat' ? ['heartbeat'] : ['relay'];
  return channels.find((channel) => subscribed.includes(channel));
}
