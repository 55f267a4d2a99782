import { nodeFiles } from '../../platform/files.ts';
import { hasOldKey, oldKeyOf } from '../../platform/key-file.ts';
import { join } from '../../platform/paths.ts';
import { post } from '../../relay/delivery.ts';
import { arrived, changeHealth, failed, webhookRoots } from '../../relay/health.ts';
import { finishRotation, rotateKey as rotate } from '../../relay/rotation.ts';
import { RELAY_DIR, RELAY_EVENTS, RELAY_PACK } from '../../relay/settings.ts';
import { parseWebhookUrl, requireKey, writeWebhook } from '../../relay/webhook.ts';
import type { WebhookLocation } from '../../relay/webhook.ts';
import { toWire } from '../../relay/wire.ts';
import { CommandError, JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { CliWorld, Command, VerbFile } from '../command.ts';
import { rootAt, shown } from '../known-rules.ts';
import { describeWebhook, notifyView } from '../notify-view.ts';
import type { NotifyView } from '../notify-view.ts';
import { counted, formatSpan, paint, printableLine } from '../table.ts';

export const setup: Command = {
  summary: 'store the address of the webhook of this project',
  details: `Asks for the URL, or reads it from standard input; it is no argument, since those show up in histories and process lists.
It is stored encrypted in ${RELAY_DIR}/.notify.enc; the key lies in your own settings directory and is made if it is missing.
The URL has to be https, except on this machine.`,
  options: JSON_OPTION,
  async run(input, world) {
    const view = await viewHere(world);
    const { root } = view.location;
    if (nodeFiles.stat(join(root, RELAY_DIR))?.kind !== 'dir')
      throw new CommandError(`${root} has no ${RELAY_DIR} directory; \`fairlead ${RELAY_PACK} init\` makes one`);
    const given = await readUrl(world);
    const url = orThrow(
      () => parseWebhookUrl(given),
      (why) => new UsageError(why),
    );
    const aside = orThrow(
      () => writeWebhook(view.location, url),
      (why) => new CommandError(why),
    );
    const { path: key = '', ageDays } = view.key;
    if (hasOldKey(key)) finishRotation(key, await locationsWith(key, view.location, world));
    const { store, clock } = world.engine();
    const setUpAt = clock.now();
    changeHealth(store, root, setUpAt, ({ problem: _past, ...before }) => ({ ...before, setUpAt }));
    const { events } = view.settings;
    if (input.has('json'))
      return printJson(world, {
        ...{ root, host: url.host, events, key, newKey: ageDays === undefined },
        ...(aside === undefined ? {} : { keptAs: aside }),
      });
    world.out(`The webhook of ${root} is at ${url.host}; \`fairlead notify test\` sends it a record.\n`);
    if (aside !== undefined)
      world.out(
        `Another program had stored an address there, which cannot be read here; it is kept as ${shown(world, aside)}.\n`,
      );
    else if (view.webhook.state === 'broken') world.out('It replaces an address that could not be opened here.\n');
    if (ageDays === undefined) world.out(`Its address is encrypted with a new key, ${shown(world, key)}.\n`);
    if (!view.isPackOn || events.length === 0) world.out(`Nothing else is sent yet: ${whyNothing(view)}.\n`);
  },
};

export const test: Command = {
  summary: 'send the webhook one record now',
  details: 'Whatever events are subscribed to. One attempt; exit code 1 when the record did not arrive.',
  options: JSON_OPTION,
  async run(input, world) {
    const view = await viewHere(world);
    const { location, settings, webhook } = view;
    const { store, clock, isOff } = world.engine();
    const now = clock.now();
    if (isOff(now)) throw new CommandError('Fairlead is off, and nothing is sent; `fairlead on` ends that');
    if (webhook.state !== 'ready') throw new CommandError(whyNotReady(view));
    const record = {
      at: now,
      event: 'test',
      rule: 'fairlead',
      variant: 'test',
      message: TEST_MESSAGE,
      root: location.root,
    };
    const problem = await post(location, JSON.stringify(toWire(record)), settings, new AbortController().signal);
    changeHealth(store, location.root, now, problem ? failed(now, problem.message) : arrived(now));
    const { host } = webhook.url;
    if (input.has('json'))
      printJson(world, { host, arrived: problem === undefined, ...(problem && { problem: problem.message }) });
    else if (problem) world.err(`fairlead: ${host} did not take the record: ${printableLine(problem.message)}\n`);
    else world.out(`${host} took the record.\n`);
    return problem ? 1 : 0;
  },
};

export const rotateKey: Command = {
  summary: 'make a new key for the stored addresses',
  details: `Addresses of all projects that use the same key are encrypted anew; until then the key before lies beside
the new one. An address that cannot be opened is named, and needs \`fairlead notify setup\` in its project; the exit code is 1 then.`,
  options: JSON_OPTION,
  async run(input, world) {
    const { location, key } = await viewHere(world);
    orThrow(
      () => requireKey(location),
      (why) => new CommandError(why),
    );
    const path = key.path ?? '';
    const sharing = await locationsWith(path, location, world);
    const { encrypted, kept, lost } = orThrow(
      () => rotate(path, sharing),
      (why) => new CommandError(why),
    );
    if (input.has('json')) printJson(world, { key: path, encrypted, kept, lost });
    else {
      world.out(`${shown(world, path)} is a new key; ${counted(encrypted.length, 'webhook')} encrypted with it.\n`);
      for (const root of kept)
        world.out(
          `  ${printableLine(root)}: its address cannot be written, and opens with the key before, ${shown(world, oldKeyOf(path))}.\n`,
        );
      for (const root of lost)
        world.out(
          `  ${printableLine(root)}: its address cannot be opened any more; run \`fairlead notify setup\` there.\n`,
        );
    }
    return kept.length + lost.length > 0 ? 1 : 0;
  },
};

export const status: Command = {
  summary: 'what is sent where, and what became of it',
  details: 'Of an address only the host is shown. Exit code 1 when it cannot be used.',
  options: JSON_OPTION,
  async run(input, world) {
    const view = await viewHere(world);
    const { webhook, settings, isPackOn, health, key } = view;
    if (input.has('json'))
      printJson(world, {
        root: view.location.root,
        webhook: webhook.state,
        ...(webhook.state === 'ready' && { host: webhook.url.host }),
        ...(webhook.state === 'broken' && { problem: webhook.problem }),
        packOn: isPackOn,
        events: settings.events,
        eventLog: settings.eventLog,
        key,
        health,
      });
    else {
      const lines = linesOf(view, world);
      const width = Math.max(...lines.map(([name]) => name.length));
      for (const [name, value] of lines)
        world.out(`${paint(world, 'dim', name.padEnd(width))}  ${printableLine(value)}\n`);
    }
    return webhook.state === 'broken' ? 1 : 0;
  },
};

const TEST_MESSAGE = 'fairlead: a test of the webhook';

async function viewHere(world: CliWorld): Promise<NotifyView> {
  return notifyView(await world.engine().workspaces.layersAt(rootAt(world)), world);
}

async function readUrl(world: CliWorld): Promise<string> {
  const text = world.interactive
    ? await world.askSecret('URL of the webhook (not shown):')
    : world.hasInput
      ? await world.readStdin()
      : '';
  if (text.trim() === '')
    throw new UsageError('no URL was given; type it at a terminal, or pipe it in: `… | fairlead notify setup`');
  return text;
}

function linesOf(view: NotifyView, world: CliWorld): (readonly [string, string])[] {
  const { webhook, settings, health, key } = view;
  const now = world.engine().clock.now();
  const ago = (at: number | undefined) => (at === undefined ? '' : `, last ${formatSpan(now - at)} ago`);
  const missing = key.path !== undefined && nodeFiles.exists(key.path) ? 'which cannot be used' : 'none yet';
  const age = key.ageDays === undefined ? missing : `${counted(key.ageDays, 'day')} old`;
  return [
    ['webhook', describeWebhook(webhook)],
    ['events', view.isPackOn && settings.events.length > 0 ? settings.events.join(', ') : `none: ${whyNothing(view)}`],
    ['key', key.path === undefined ? 'not used' : `${shown(world, key.path)}, ${age}`],
    ['sent', `${health.sent}${ago(health.sentAt)}`],
    ['failed', `${health.failed}${ago(health.failedAt)}${health.problem === undefined ? '' : `: ${health.problem}`}`],
    ['dropped', String(health.dropped)],
    ['event log', settings.eventLog ? `${RELAY_DIR}/state/events.jsonl` : 'off'],
  ];
}

function whyNothing({ isPackOn }: NotifyView): string {
  if (!isPackOn) return `the pack ${RELAY_PACK} is off here`;
  return `packs.${RELAY_PACK}.notify.events names no event; there are ${RELAY_EVENTS.join(', ')}`;
}

function whyNotReady({ webhook }: NotifyView): string {
  return webhook.state === 'broken' ? webhook.problem : 'no webhook is set up here; `fairlead notify setup` does that';
}

/** The projects whose address is encrypted with this key. */
async function locationsWith(
  path: string,
  here: WebhookLocation,
  world: CliWorld,
): Promise<[WebhookLocation, ...WebhookLocation[]]> {
  const { store, clock, workspaces } = world.engine();
  const locations: [WebhookLocation, ...WebhookLocation[]] = [here];
  for (const root of new Set(webhookRoots(store, clock.now()))) {
    if (root === here.root || !nodeFiles.exists(root)) continue;
    const { key, location } = notifyView(await workspaces.layersAt(root), world);
    if (key.path === path) locations.push(location);
  }
  return locations;
}

function orThrow<T>(work: () => T, toError: (why: string) => Error): T {
  try {
    return work();
  } catch (error) {
    throw toError(error instanceof Error ? error.message : String(error));
  }
}

export default {
  order: 270,
  groups: { notify: 'records for a chat or a dashboard: setup, test, status' },
  verbs: { 'notify setup': setup, 'notify test': test, 'notify rotate-key': rotateKey, 'notify status': status },
} satisfies VerbFile;
