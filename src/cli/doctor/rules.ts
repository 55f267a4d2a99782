import { ADAPTERS } from '../../adapters/registry.ts';
import type { Adapter } from '../../adapters/adapter.ts';
import type { EventName } from '../../event/event.ts';
import type { VerdictKind } from '../../event/verdict.ts';
import { namesOf } from '../../engine/match/rule-index.ts';
import type { ActiveRule } from '../../engine/match/rule-index.ts';
import { settingsOf } from '../../workspace/policy.ts';
import type { Layers } from '../../workspace/standing.ts';
import { readBreakers } from '../breakers.ts';
import { wiredAgents } from '../agents.ts';
import type { CliWorld } from '../command.ts';
import { shown } from '../known-rules.ts';
import type { KnownRules } from '../known-rules.ts';
import { eventsOf, isSent, isTold, verdictsOf } from '../rule-reach.ts';
import { formatSpan } from '../table.ts';
import { inertAndLoud } from './inert-rules.ts';
import type { Finding, Section } from './report.ts';
import { isOwn, WINDOW_DAYS } from './rule-record.ts';
import { digestsIn } from '../../instructions/propose.ts';
import { SAID } from '../../instructions/write-rule.ts';
import { nodeFiles } from '../../platform/files.ts';
import { isAbsolute, join } from '../../platform/paths.ts';

/** Rules that were made of sentences which their files do not have any more. */
function lostSentences({ rules, root }: KnownRules, world: CliWorld): Finding[] {
  const known = new Map<string, ReadonlySet<string> | undefined>();
  const digestsOf = (file: string) => {
    if (!known.has(file)) {
      const text = nodeFiles.readText(isAbsolute(file) ? file : join(root, file));
      known.set(file, text === undefined ? undefined : digestsIn(text));
    }
    return known.get(file);
  };
  return rules.flatMap(({ meta: { id, from }, mode, source }): Finding[] => {
    if (!from || from.file === SAID || mode === 'off') return [];
    // A rule of the person's own holds in projects that have no such file.
    if (id.startsWith('user/') && !isAbsolute(from.file)) return [];
    const digests = digestsOf(from.file);
    if (digests?.has(from.digest) === true) return [];
    return [
      {
        level: 'note',
        what: `${id} has lost its sentence: ${digests ? `${from.file} no longer says` : `there is no ${from.file} any more, which said`} “${from.sentence}”`,
        why: `It goes on as it is, in mode ${mode}.`,
        next: `remove ${shown(world, source)}, then fairlead rules propose${digests ? ` ${from.file}` : ''} for the sentence as it is now; or fairlead rules mode ${id} off`,
      },
    ];
  });
}

export function checkRules(known: KnownRules, world: CliWorld): Section {
  const { root, rules, layers } = known;
  const wired = wiredAgents(root, world);
  const agents = wired.length > 0 ? wired : ADAPTERS;
  const active = rules.filter(({ mode }) => mode !== 'off');
  const files = [layers.user, layers.project].flatMap((layer) => layer.files).filter(({ kind }) => kind === 'rule');
  const inert = active.filter((rule) => agents.every((agent) => !rule.meta.on.some((listen) => isTold(agent, listen))));
  const skipped = files.filter(({ state }) => state === 'skipped').length;
  const broken = files.filter(({ state }) => state === 'broken').length;
  return {
    title: 'Rules',
    facts: [
      ['active', String(active.length)],
      ['off', String(rules.length - active.length)],
      ['broken', String(broken)],
      ['judged over', `${WINDOW_DAYS} days, where there was occasion enough`],
      ['inert', `${inert.length + skipped}${skipped > 0 ? ` (${skipped} not trusted)` : ''}`],
    ],
    // The settings name each such file, with what is wrong in it.
    flawed: broken > 0,
    findings: [
      ...breakersOf(layers, world),
      ...lostSentences(known, world),
      ...inert.map((rule) => inertFinding(rule, agents, world)),
      ...active.filter((rule) => !inert.includes(rule)).flatMap((rule) => undelivered(rule, layers, wired)),
      ...inertAndLoud({ ...known, rules: active.filter((rule) => !inert.includes(rule)) }, world),
    ],
  };
}

function breakersOf(layers: Layers, world: CliWorld): Finding[] {
  const { store, clock } = world.engine();
  const { failures, windowSeconds, recoverySeconds } = settingsOf(layers).breaker;
  const limits = { failures, windowMs: windowSeconds * 1_000, recoveryMs: recoverySeconds * 1_000 };
  return readBreakers(store, limits, clock.now()).flatMap(({ rule, state, error, openedAt = 0 }): Finding[] => {
    if (state === 'closed') return [];
    const when = formatSpan(clock.now() - openedAt);
    return [
      {
        level: 'attention',
        what: `The breaker of ${rule} is ${state}, since ${when}: ${error}`,
        why:
          state === 'open'
            ? `The rule is skipped for ${recoverySeconds} s after its last failure.`
            : 'The next event it listens to tries it again.',
        next: `fairlead log --rule ${rule}, then fairlead explain on one of its events`,
      },
    ];
  });
}

function inertFinding(rule: ActiveRule, agents: readonly Adapter[], world: CliWorld): Finding {
  const { id, on } = rule.meta;
  const names = agents.map(({ name }) => name).join(', ');
  const sent = on.filter((listen) => agents.some((agent) => namesOf(listen).some((event) => isSent(agent, event))));
  const tools = [...new Set(sent.flatMap(({ tool = [] }) => tool))];
  return {
    level: 'note',
    what:
      sent.length === 0
        ? `${id} listens to ${eventsOf(rule).join(', ')}, which ${names} does not send.`
        : `${id} listens to tools that ${names} does not have: ${tools.join(', ')}.`,
    why: 'It never runs.',
    next: isOwn(rule)
      ? `edit ${shown(world, rule.source)}, or fairlead rules mode ${id} off`
      : `fairlead rules mode ${id} off`,
  };
}

/** What is said before a call comes with its result, where the agent's model reads nothing before. */
function comesLater(kind: VerdictKind, event: EventName, adapter: Adapter): boolean {
  return kind === 'note' && event === 'tool.before' && adapter.capabilities('tool.after').note === 'advised';
}

/** Verdicts a rule may give on events where the agent has no channel for them. */
function undelivered(rule: ActiveRule, layers: Layers, agents: readonly Adapter[]): Finding[] {
  const kinds = verdictsOf(rule, layers);
  return agents.flatMap((adapter) =>
    kinds.flatMap((kind): Finding[] => {
      const events = eventsOf(rule).filter(
        (event) =>
          isSent(adapter, event) && adapter.capabilities(event)[kind] === 'none' && !comesLater(kind, event, adapter),
      );
      if (events.length === 0) return [];
      // Advice is kept for an event that carries it; only after the last one there is none.
      const waits = kind === 'note' && !events.includes('session.end');
      return [
        {
          level: kind === 'note' || kind === 'warn' ? 'note' : 'attention',
          what: `${rule.meta.id} may answer ${events.join(', ')} with "${kind}", and ${adapter.name} has no channel for that.`,
          why: waits
            ? 'Its advice goes with the session’s next event that carries some.'
            : 'It is decided and recorded, but neither the agent nor the person is told.',
          next: `fairlead rules show ${rule.meta.id}`,
        },
      ];
    }),
  );
}
