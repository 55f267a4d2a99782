import { parseDuration } from '../text/duration.ts';
import { UNKNOWN_ANSWERS } from '../event/lease.ts';
import type { CopyBound, RuleLease } from '../event/lease.ts';
import type { EventName } from '../event/event.ts';
import type { Throttle } from '../engine/rule.ts';
import type { Match } from './body.ts';
import type { FieldReader } from './field-reader.ts';
import type { Report } from './problem.ts';

/** No call waits longer for a server than this. */
const LONGEST_WAIT_MS = 2_000;
const LONGEST_LEASE_MS = 86_400_000;

/** `lease: { name: deploy, for: 10m, within: 150ms, else: ask }`. */
export function readLease(
  fields: FieldReader,
  action: Match['action'],
  events: readonly EventName[],
  report: Report,
): RuleLease | undefined {
  const map = fields.map('lease', ['name', 'for', 'within', 'else']);
  if (!map) return undefined;
  const line = fields.line('lease');
  const name = map.text('name');
  if (name === undefined || !/^[A-Za-z0-9][\w.-]*$/.test(name))
    report(line, 'lease.name', 'a lease has a name of letters, digits, `-`, `_` and `.`, as `deploy`');
  if (map.get('for') === undefined) report(line, 'lease.for', 'say how long it is held at most, as `for: 10m`');
  const time = readTime(map, 'lease', 'for', LONGEST_LEASE_MS, report);
  const within = readTime(map, 'lease', 'within', LONGEST_WAIT_MS, report);
  const otherwise = map.oneOf('else', UNKNOWN_ANSWERS);
  if (action !== 'deny' && action !== 'ask')
    report(line, 'lease', `what \`${action}\` tells stops nobody; a lease goes with \`action: deny\` or \`ask\``);
  if (events.some((event) => event !== 'tool.before'))
    report(line, 'lease', 'a lease is taken before a tool runs: it goes with `bash`, `file` or `tool.before`');
  return {
    name: name ?? '',
    for: time ?? '10m',
    ...(within !== undefined && { within }),
    ...(otherwise && { else: otherwise }),
  };
}

/** `team: { within: 1m, else: ask }`. */
export function readBound(fields: FieldReader, throttle: Throttle | undefined, report: Report): CopyBound | undefined {
  const map = fields.map('team', ['within', 'else']);
  if (!map) return undefined;
  const line = fields.line('team');
  if (map.get('within') === undefined) report(line, 'team', 'say how old the copy may be, as `within: 1m`');
  if (!throttle || !('shared' in throttle))
    report(
      line,
      'team',
      'the rule uses nothing that a team shares; a throttle `once per day per team` does',
      'warning',
    );
  const within = readTime(map, 'team', 'within', Number.POSITIVE_INFINITY, report);
  return { within: within ?? '1m', else: map.oneOf('else', UNKNOWN_ANSWERS) ?? 'go on' };
}

function readTime(map: FieldReader, of: string, key: string, mostMs: number, report: Report): string | undefined {
  const text = map.text(key);
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0 && ms <= mostMs) return text;
  const most = Number.isFinite(mostMs)
    ? `, at most ${mostMs >= 3_600_000 ? `${mostMs / 3_600_000}h` : `${mostMs / 1_000}s`}`
    : '';
  report(map.line(key), `${of}.${key}`, `\`${key}\` must be a time such as \`10m\`${most}`);
  return undefined;
}
