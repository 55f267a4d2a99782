import { nodeFiles } from '../platform/files.ts';
import { webhookLocation } from '../relay/delivery.ts';
import { readHealth } from '../relay/health.ts';
import type { WebhookHealth } from '../relay/health.ts';
import { readRelaySettings, RELAY_PACK } from '../relay/settings.ts';
import type { RelaySettings } from '../engine/settings.ts';
import { keyAgeDays, keyFileOf, readWebhook } from '../relay/webhook.ts';
import type { Webhook, WebhookLocation } from '../relay/webhook.ts';
import { settingsOf } from '../workspace/policy.ts';
import type { Layers } from '../workspace/standing.ts';
import type { CliWorld } from './command.ts';

/** All there is to know about the webhook of a workspace. */
export interface NotifyView {
  readonly settings: RelaySettings;
  readonly isPackOn: boolean;
  readonly location: WebhookLocation;
  readonly webhook: Webhook;
  readonly health: WebhookHealth;
  readonly key: { readonly path?: string; readonly ageDays?: number };
}

export function notifyView(layers: Layers, world: CliWorld): NotifyView {
  const { store, clock } = world.engine();
  const { root } = layers;
  const pack = settingsOf(layers).packs[RELAY_PACK];
  const settings = readRelaySettings(pack?.options);
  const location = webhookLocation(root, settings, {
    files: nodeFiles,
    config: world.paths.config,
    userHome: world.userHome,
  });
  return {
    settings,
    isPackOn: pack?.enabled === true && pack.mode !== 'off',
    location,
    webhook: readWebhook(location),
    health: readHealth(store, root, clock.now()),
    key: keyOf(location, clock.now()),
  };
}

function keyOf(location: WebhookLocation, now: number): NotifyView['key'] {
  const ageDays = keyAgeDays(location, now);
  try {
    return { path: keyFileOf(location), ...(ageDays !== undefined && { ageDays }) };
  } catch {
    return {};
  }
}

/** The host alone: path and query of a webhook are its secret. */
export function describeWebhook(webhook: Webhook): string {
  if (webhook.state === 'ready') return webhook.url.host;
  return webhook.state === 'absent' ? 'none is set up' : webhook.problem;
}
