import { RELAY_PACK } from '../../relay/settings.ts';
import type { CliWorld } from '../command.ts';
import type { KnownRules } from '../known-rules.ts';
import { describeWebhook, notifyView } from '../notify-view.ts';
import type { NotifyView } from '../notify-view.ts';
import { counted, formatSpan } from '../table.ts';
import type { Finding, Section } from './report.ts';

const DAY_MS = 86_400_000;

/**
 * The webhook of this workspace; nothing where neither an address nor a wish for one is known. A file that came with a
 * project is nobody's business where the pack is off.
 */
export function checkNotify({ layers }: KnownRules, world: CliWorld): Section[] {
  const view = notifyView(layers, world);
  const { settings, webhook, health, key } = view;
  const isAsked = view.isPackOn && settings.events.length > 0;
  if (!isAsked && (webhook.state === 'absent' || (webhook.state !== 'ready' && !view.isPackOn))) return [];
  return [
    {
      title: 'Webhook',
      facts: [
        ['address', describeWebhook(webhook)],
        ['events', isAsked ? settings.events.join(', ') : 'none'],
        ['sent', `${health.sent}, failed ${health.failed}, dropped ${health.dropped}`],
        ...(key.ageDays === undefined ? [] : [['key', `${counted(key.ageDays, 'day')} old`] as const]),
      ],
      findings: [
        ...unready(view),
        ...unasked(view, isAsked),
        ...failing(view, world),
        ...dropping(view, world),
        ...oldKey(view),
      ],
    },
  ];
}

function unready({ webhook }: NotifyView): Finding[] {
  if (webhook.state === 'ready') return [];
  if (webhook.state === 'absent')
    return [
      {
        level: 'note',
        what: 'Events are subscribed to, and no webhook is set up.',
        why: 'The records are kept in the log and sent nowhere.',
        next: 'fairlead notify setup',
      },
    ];
  return [
    {
      level: 'attention',
      what: `The address of the webhook cannot be used: ${webhook.problem}.`,
      why: 'The records are kept in the log and sent nowhere.',
      next: 'fairlead notify setup stores it anew',
    },
  ];
}

function unasked({ isPackOn, webhook }: NotifyView, isAsked: boolean): Finding[] {
  if (isAsked || webhook.state !== 'ready') return [];
  return [
    {
      level: 'note',
      what: 'A webhook is set up, and nothing is sent to it.',
      why: isPackOn
        ? `packs.${RELAY_PACK}.notify.events names no event.`
        : `The pack ${RELAY_PACK} is off here, and its settings say what is sent.`,
      next: `name the events in packs.${RELAY_PACK}.notify.events of config.yaml, and switch the pack on`,
    },
  ];
}

function failing({ webhook, health: { problem, failedAt = 0 } }: NotifyView, world: CliWorld): Finding[] {
  if (webhook.state !== 'ready' || problem === undefined) return [];
  const ago = formatSpan(world.engine().clock.now() - failedAt);
  return [
    {
      level: 'attention',
      what: `The last record did not reach ${webhook.url.host}, ${ago} ago: ${problem}.`,
      why: 'A record is tried three times. Replies to the agent do not wait for it.',
      next: 'fairlead notify test tries now',
    },
  ];
}

function dropping({ health: { dropped, droppedAt = 0 } }: NotifyView, world: CliWorld): Finding[] {
  const ago = world.engine().clock.now() - droppedAt;
  if (dropped === 0 || ago > DAY_MS) return [];
  return [
    {
      level: 'note',
      what: `${counted(dropped, 'record')} given up so far, the last ${formatSpan(ago)} ago.`,
      why: 'More than 100 were waiting, the engine ended first, or a process for one event had no time for them.',
      next: 'fairlead log --kind relay has them all',
    },
  ];
}

function oldKey({ key: { ageDays = 0 }, settings: { keyRotationDays } }: NotifyView): Finding[] {
  if (keyRotationDays === 0 || ageDays < keyRotationDays) return [];
  return [
    {
      level: 'note',
      what: `The key of the webhook is ${counted(ageDays, 'day')} old.`,
      why: `packs.${RELAY_PACK}.notify.key_rotation_days is ${keyRotationDays}.`,
      next: 'fairlead notify rotate-key',
    },
  ];
}
