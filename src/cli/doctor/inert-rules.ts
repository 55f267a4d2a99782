import { PACKS } from '../../event/packs.generated.ts';
import { FATE_WORDS } from '../../ledger/fates.ts';
import type { FateName } from '../../ledger/fates.ts';
import { nodeFiles } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import type { CliWorld } from '../command.ts';
import { describeThrottle } from '../describe-throttle.ts';
import { shown } from '../known-rules.ts';
import type { KnownRules } from '../known-rules.ts';
import { counted, formatCount } from '../table.ts';
import type { Finding } from './report.ts';
import { readRecords, WINDOW_DAYS } from './rule-record.ts';
import type { RuleRecord } from './rule-record.ts';

/** With fewer occasions nothing is said of a rule. */
const LEAST = { events: 100, stopped: 20, fired: 5, fates: 5, judged: 10 } as const;
/** More characters than this for each note that is followed are too many, once there are so many in all. */
const LOUD = { each: 2_000, inAll: 10_000 } as const;

const WHEN = `in ${WINDOW_DAYS} days`;

/** Rules that do nothing, or too much, as the ledger of the last days tells. */
export function inertAndLoud({ rules, layers, root }: KnownRules, world: CliWorld): Finding[] {
  const { memory, clock } = world.engine();
  if (!memory.db) return [];
  const active = rules.filter(({ mode }) => mode !== 'off');
  const records = readRecords(memory.db, active, layers, clock.now());
  const sleeping = records.filter((one) => isLacking(one, root));
  return [
    ...packsWithout(sleeping, root),
    ...records
      .filter((one) => !sleeping.includes(one))
      .flatMap((one) => unheard(one, world) ?? throttled(one, world) ?? undelivered(one) ?? unheeded(one, world) ?? []),
  ];
}

/** A pack that nobody asked for may well have nothing to do. */
function isLacking({ rule: { meta }, heard, lacking }: RuleRecord, root: string): boolean {
  const { entry } = meta.needs ?? {};
  if (entry === undefined || nodeFiles.exists(join(root, entry))) return false;
  return PACKS[meta.pack]?.on !== true && lacking >= LEAST.stopped && lacking === heard;
}

function packsWithout(sleeping: readonly RuleRecord[], root: string): Finding[] {
  const packs = [...new Set(sleeping.map(({ rule }) => rule.meta.pack))];
  return packs.map((pack): Finding => {
    const ofPack = sleeping.filter(({ rule }) => rule.meta.pack === pack).map(({ rule }) => rule.meta);
    const entries = [...new Set(ofPack.map(({ needs }) => needs?.entry ?? ''))];
    return {
      level: 'note',
      what: `${counted(ofPack.length, 'rule')} of ${pack} never looked ${WHEN}: ${ofPack.map(({ id }) => id).join(', ')}.`,
      why: `They want ${entries.join(', ')}, which no project had in which they were woken.`,
      next: `make ${entries.join(', ')} in ${root}, or fairlead packs off ${pack}`,
    };
  });
}

function unheard({ rule, isOwn, heard, events, ofTool }: RuleRecord, world: CliWorld): Finding | undefined {
  // What is built in may wait for something rare.
  if (!isOwn || heard > 0) return undefined;
  const { id, on } = rule.meta;
  const next = `fairlead rules test ${id}, then edit ${shown(world, rule.source)}`;
  if (ofTool >= LEAST.events)
    return {
      level: 'note',
      what: `${id} heard nothing ${WHEN}: its paths, words or effects fit none of ${formatCount(ofTool)} events.`,
      why: 'It may wait for something rare; else its matcher is wrong.',
      next,
    };
  if (ofTool > 0 || events < LEAST.events) return undefined;
  const tools = [...new Set(on.flatMap((listen) => [...(listen.tool ?? []), ...(listen.name ?? [])]))];
  return {
    level: 'note',
    what: `${id} heard nothing ${WHEN}: none of ${formatCount(events)} events was of ${tools.join(', ')}.`,
    why: 'The agent has no such tool, or calls it otherwise.',
    next: `fairlead log --all shows the names of its tools; then edit ${shown(world, rule.source)}`,
  };
}

function throttled(record: RuleRecord, world: CliWorld): Finding | undefined {
  const { rule, heard, throttled: stopped } = record;
  const { id, throttle } = rule.meta;
  if (!throttle || stopped < LEAST.stopped || stopped < heard) return undefined;
  return {
    level: 'note',
    what: `The throttle of ${id} stopped it each time, ${formatCount(stopped)} times ${WHEN}.`,
    why: `It never looked. The throttle is: ${describeThrottle(throttle)}.`,
    next: mendOr(record, 'set a throttle that opens sooner', 'off', world),
  };
}

const TAKEN: ReadonlySet<string> = new Set<FateName>(['delivered', 'cut', 'denied', 'allowed', 'refused']);

const WHY_LOST: Readonly<Record<string, string>> = {
  misplaced: 'The agent took the reply and gave its text to nobody.',
  late: 'The agent waited no longer for the hook.',
  failed: 'The hook ended with an error, or could not be reached.',
  unseen: 'The agent went on without a trace of it.',
};

function undelivered({ rule, fired, said, fates }: RuleRecord): Finding | undefined {
  const { id, guard } = rule.meta;
  const level = guard === true ? 'attention' : 'note';
  const known = [...fates].toSorted(([, a], [, b]) => b - a);
  const count = known.reduce((all, [, each]) => all + each, 0);
  if (count >= LEAST.fates && known.every(([fate]) => !TAKEN.has(fate)))
    return {
      level,
      what: `${id} spoke ${formatCount(count)} times ${WHEN}, and nothing arrived: ${known.map(([fate, each]) => `${formatCount(each)} ${FATE_WORDS[fate as FateName]}`).join(', ')}.`,
      why: WHY_LOST[known[0]?.[0] ?? ''] ?? '',
      next: 'fairlead doctor --prove tries the way and names what is in it',
    };
  if (rule.mode === 'shadow' || fired < LEAST.fired || said > 0) return undefined;
  return {
    level,
    what: `${id} fired ${formatCount(fired)} times ${WHEN}, and nothing of it was sent.`,
    why: 'The characters that a turn or session may have were used up, or the agent has no channel for it there.',
    next: `fairlead log --rule ${id}, then fairlead explain on one of its events`,
  };
}

function unheeded(record: RuleRecord, world: CliWorld): Finding | undefined {
  const { rule, followed, ignored, round, chars } = record;
  const { id, backsOff } = rule.meta;
  const judged = followed + ignored + round;
  if (judged < LEAST.judged) return undefined;
  const next = mendOr(record, `say it in other words${backsOff ? '' : ', or set backsOff: true'}`, 'shadow', world);
  if (followed === 0)
    return {
      level: 'note',
      what: `${id} was not followed once in ${counted(judged, 'time')} ${WHEN}: ignored ${formatCount(ignored)}, gone round ${formatCount(round)}.`,
      why: `It gave agents ${counted(chars, 'character')} for that.`,
      next,
    };
  const each = Math.round(chars / followed);
  if (chars < LOUD.inAll || each <= LOUD.each) return undefined;
  return {
    level: 'note',
    what: `${id} speaks more than it helps: ${counted(chars, 'character')} ${WHEN} for ${counted(followed, 'note')} that ${followed === 1 ? 'was' : 'were'} followed, ${formatCount(each)} each.`,
    why: `More than ${formatCount(LOUD.each)} for each take room from what is heeded.`,
    next,
  };
}

function mendOr({ rule, isOwn }: RuleRecord, change: string, mode: 'off' | 'shadow', world: CliWorld): string {
  const { id } = rule.meta;
  const silence = `fairlead rules mode ${id} ${mode}`;
  return isOwn
    ? `edit ${shown(world, rule.source)}: ${change}; or ${silence}`
    : `fairlead rules show ${id}, then ${silence}`;
}
