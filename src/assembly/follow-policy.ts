import { PACKS } from '../event/packs.generated.ts';
import type { EventName } from '../event/event.ts';
import { VERSION } from '../platform/build.ts';
import type { Files } from '../platform/files.ts';
import type { TeamSettings } from '../team/place.ts';

/** How long what is kept of a policy counts as current, while agents work. */
const EVERY_MS = 300_000;
const LOOKED_AT: ReadonlySet<EventName> = new Set(['session.start', 'prompt.submit']);

export interface PolicyFollowerOptions {
  readonly files: Files;
  readonly state: string;
  now(): number;
  onFailure(doing: string, error: unknown): void;
  /** What the person's settings follow. */
  followed(): TeamSettings | undefined;
}

/** Looks at the source of a policy after replies, now and then; no event waits for it. */
export function createPolicyFollower({ files, state, now, onFailure, followed }: PolicyFollowerOptions) {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isFirst = true;
  let underway: Promise<unknown> | undefined;
  return {
    see({ event }: { readonly event: { readonly name: EventName } }): void {
      const settings = isFirst || LOOKED_AT.has(event.name) ? followed() : undefined;
      isFirst = false;
      if (!settings || underway || now() - lookedAt < EVERY_MS) return;
      lookedAt = now();
      underway = refresh(settings)
        .catch((error: unknown) => onFailure('looking at the policy', error))
        .finally(() => (underway = undefined));
    },
  };

  async function refresh(settings: TeamSettings): Promise<void> {
    const { refreshPolicy } = await import('../team/refresh.ts');
    await refreshPolicy(state, settings, {
      ...{ files, now: now(), version: VERSION, packs: Object.keys(PACKS) },
      newMachine: () => crypto.randomUUID(),
    });
  }
}
