import { PACK_DOCTORS } from '../../packs/cli.generated.ts';
import { openToOthers, narrow } from '../../platform/private-dir.ts';
import { askStatus } from '../../transport/ask-daemon.ts';
import { socketOf } from '../../transport/meeting-place.ts';
import { weakeningIn } from '../accepted-settings.ts';
import { JSON_OPTION, printJson } from '../command.ts';
import type { Command, VerbFile, CliWorld } from '../command.ts';
import { checkFailures, checkLedger, checkSessions } from '../doctor/activity.ts';
import { checkAdopted } from '../doctor/adopted.ts';
import { checkDaemon } from '../doctor/daemon.ts';
import { checkDatabase, checkInstallation } from '../doctor/installation.ts';
import { checkProof } from '../doctor/proof.ts';
import { checkNotify } from '../doctor/notify.ts';
import { needsAttention, showReport } from '../doctor/report.ts';
import type { Section, Finding, Fact } from '../doctor/report.ts';
import { checkRules } from '../doctor/rules.ts';
import { checkServer } from '../doctor/server.ts';
import { checkSettings } from '../doctor/settings.ts';
import { checkTeamState } from '../doctor/team-state.ts';
import { checkTelemetry } from '../doctor/telemetry.ts';
import { checkOriginals, checkWiring } from '../doctor/wiring.ts';
import { failClosedAt } from '../install/fail-closed.ts';
import { heardAt } from '../install/heard.ts';
import { knownRules } from '../known-rules.ts';
import type { KnownRules } from '../known-rules.ts';
import { settingsOf } from '../../workspace/policy.ts';
import { counted, formatBytes, formatTime } from '../table.ts';
import { copiesOf, sumUp } from '../undo-copies.ts';
import { EVERYWHERE } from '../../engine/careful/book.ts';
import { TEAM_WIDE } from '../../engine/careful/team-careful.ts';
import { readExceptions, strayExceptions } from '../../engine/limits/exceptions.ts';
import { draftOf } from '../change-state.ts';
import { carefulNow, describeCareful } from './careful.ts';
import { describeQuiet } from '../quiet-rules.ts';
import { CAREFUL_RULE } from '../../engine/careful/careful.ts';
import { nodeFiles } from '../../platform/files.ts';
import { readCheck } from '../../team/fetch-policy.ts';
import { teamDir } from '../../team/place.ts';
import { teamOf } from '../../workspace/team-standing.ts';

/** The policy that this machine follows; nothing where it follows none. */
function checkPolicy({ layers, rules }: KnownRules, world: CliWorld): Section[] {
  const settings = layers.user.config.team;
  if (!settings) return [];
  const { policy, glass, problems = [] } = layers.team ?? {};
  const check = readCheck(teamDir(world.paths.state, settings), nodeFiles);
  const team = teamOf(layers);
  const facts: Fact[] = [['source', settings.policy]];
  const findings: Finding[] = problems.map(({ file, line, message }): Finding => {
    const [, name] = /policy\.json:(.+)$/.exec(file) ?? [];
    if (name !== undefined)
      return {
        level: 'attention',
        what: `${name}:${line} of the policy: ${message}`,
        why: 'The rest of the policy is in force.',
        next: 'ask whoever signs the policy for the next version',
      };
    return {
      level: 'attention',
      what: `What is kept of the policy ${message}.`,
      why: policy ? 'What it said last stays in force.' : 'Nothing of the policy is in force.',
      next: 'fairlead policy refresh',
    };
  });
  if (policy) {
    facts.push([
      'policy',
      `${policy.name}@${policy.version}, accepted ${formatTime(policy.acceptedAt)}, expires ${policy.expires}`,
    ]);
    if (Date.parse(policy.expires) <= Date.now())
      findings.push({
        level: 'attention',
        what: `The policy ${policy.name}@${policy.version} expired on ${policy.expires}.`,
        why: 'It stays in force, and nothing newer has come.',
        next: 'fairlead policy refresh; if that finds nothing, ask whoever signs it',
      });
  }
  if (team) facts.push(['ring', `${team.ring === 0 ? 'none' : String(team.ring)}, ${team.stage}`]);
  if (glass)
    findings.push({
      level: 'attention',
      what: `The policy does not count until ${formatTime(glass.until)}.`,
      why: `Somebody broke its glass: ${glass.reason}`,
      next: 'fairlead policy mend',
    });
  if (check?.problem !== undefined)
    findings.push({
      level: 'attention',
      what: `${check.problem}.`,
      why: `So it was at the last look, ${formatTime(check.at)}. The policy before stays in force.`,
      next: 'fairlead policy refresh',
    });
  for (const { meta, mode, lowered, policy: by } of rules.filter((rule) => rule.lowered !== undefined))
    findings.push({
      level: 'note',
      what: `${meta.id} is ${mode} here; the policy ${by} wants ${lowered}.`,
      why: 'The policy reports weaker settings and does not refuse them.',
      next: `fairlead rules mode ${meta.id} ${lowered}`,
    });
  for (const { meta, policy: by } of rules.filter((rule) => rule.held === true)) {
    const files = [layers.user, layers.project].filter(({ config }) => config.rules?.[meta.id]?.options !== undefined);
    if (files.length > 0)
      findings.push({
        level: 'note',
        what: `${meta.id} has options of ${files.map(({ kind }) => `the ${kind}`).join(' and ')}.`,
        why: `The policy ${by} holds the rule. What it does not set, the machine may, and that can be less.`,
        next: `fairlead rules show ${meta.id}`,
      });
  }
  return [{ title: 'Policy', facts, findings }];
}

const DAY_MS = 86_400_000;

export async function checkCareful(root: string, world: CliWorld): Promise<Section> {
  const draft = draftOf(world);
  const { careful, where, changed } = await carefulNow(root, world);
  const exceptions = readExceptions(draft, root);
  const findings: Finding[] = [];
  if (careful) {
    const wide = where === TEAM_WIDE ? ' --team' : where === EVERYWHERE ? ' --all' : '';
    findings.push({
      level: 'note',
      what: describeCareful(careful, where, draft.now),
      why: 'Rules with a careful mode ask or deny where they would advise.',
      next: `fairlead careful off${wide}, in a terminal that no agent started, ends it`,
    });
  }
  if (changed !== undefined && draft.now - changed < DAY_MS)
    findings.push({
      level: 'attention',
      what: `The record of careful mode was changed by something other than Fairlead, seen ${formatTime(changed)}.`,
      why: 'It is kept twice, and the two differed. Careful mode stayed on.',
      next: `fairlead log --rule ${CAREFUL_RULE} shows where; fairlead careful on or off writes it anew`,
    });
  for (const exception of exceptions)
    findings.push({
      level: 'note',
      what: `Exception ${describeQuiet(exception)}.`,
      why: 'What the rule would stop passes as long as it is in force.',
      next: `fairlead rules enable ${exception.rules[0]}`,
    });
  for (const exception of strayExceptions(root, (id) => draft.read(id)))
    findings.push({
      level: 'attention',
      what: `Exception ${describeQuiet(exception)} was written by something other than Fairlead.`,
      why: 'Exceptions are kept twice, and only one of the two has it, so it has no effect.',
      next: `fairlead rules enable ${exception.rules[0]} removes it; fairlead rules mode RULE off --for TIME, in a terminal that no agent started, adds one`,
    });
  return {
    title: 'Careful mode and exceptions',
    facts: [
      ['careful mode', careful ? 'on' : 'off'],
      ['exceptions', String(exceptions.length)],
    ],
    findings,
  };
}

/** `open` is what others had a right to before anything of ours was opened, which narrows what it opens. */
function checkRights(open: readonly string[], world: CliWorld): Section {
  const left = open.filter((path) => !narrow(path));
  const closed = open.length - left.length;
  const { state } = world.paths;
  return {
    title: 'Rights',
    facts: [['state', left.length === 0 ? 'yours alone' : 'open to others']],
    findings: [
      ...(left.length === 0
        ? []
        : [
            {
              level: 'attention' as const,
              what: `Others have a right to ${named(left)}.`,
              why: 'What agents did, and what they were told, lies there. It does not belong to you, so its rights cannot be taken back here.',
              next: `chown -R "$(id -un)" '${state}' && chmod -R go= '${state}', as whoever it belongs to or as root`,
            },
          ]),
      ...(closed === 0
        ? []
        : [
            {
              level: 'note' as const,
              what: `Others had a right to ${named(open.filter((path) => !left.includes(path)))}.`,
              why: 'What agents did, and what they were told, lies there. It is yours alone from now on.',
              next: 'nothing, unless somebody else uses this machine: then what is in the ledger may have been read',
            },
          ]),
    ],
  };
}

function named(paths: readonly string[]): string {
  const more = paths.length - 3;
  return paths.slice(0, 3).join(', ') + (more > 0 ? ` and ${counted(more, 'other')}` : '');
}

function checkUndo({ layers }: KnownRules, world: CliWorld): Section {
  const { days, megabytes, budgetMs, budgetMegabytes, exclude } = settingsOf(layers).undo;
  const { count, bytes, oldest } = sumUp(copiesOf(world).store.list());
  return {
    title: 'Copies for undo',
    facts: [
      [
        'copies',
        oldest === undefined ? 'none' : `${count}, ${formatBytes(bytes)}, the oldest of ${formatTime(oldest)}`,
      ],
      ['keeps', `${counted(days, 'day')}, at most ${megabytes} MB`],
      ['one copy', `at most ${budgetMs} ms and ${budgetMegabytes} MB; what needs more is asked about`],
      ...(exclude.length === 0 ? [] : ([['never', exclude.join(', ')]] as const)),
    ],
    findings: [],
  };
}

export const doctor: Command = {
  summary: 'what is wired, alive, inert or broken',
  details: `Looks at the project it is called in. Exit code 0 when nothing needs attention, 1 when something does.
With --prove it also calls every hook of Fairlead as the agent would, with an event in a session of its own, and tells
which events arrive and whether a text comes back whole. Where the agent's program is on PATH, it then plays a short
session to it, in a temporary directory, with copies of the settings that decide about hooks, a model of its own on
this machine, and no key. All hooks in those settings run then, also those of others. Nothing of it stays in the
ledger or in what rules remember.`,
  options: {
    prove: { type: 'boolean', help: 'send an event through every hook, and see what comes back' },
    ...JSON_OPTION,
  },
  async run(input, world) {
    const open = openToOthers(world.paths.state);
    const status = await askStatus(socketOf(world.paths), world.paths.state);
    const known = await knownRules(world);
    const packs = await Promise.all(PACK_DOCTORS.map(({ load }) => load()));
    const sections = [
      checkInstallation(world),
      checkDaemon(status, world),
      checkDatabase(world),
      checkRights(open, world),
      checkWiring(known.root, world, await failClosedAt(known.root, world), await heardAt(known.root, world)),
      ...checkOriginals(known, world),
      ...checkAdopted(known.root, world),
      ...(await checkServer(known.root, world)),
      checkSettings(known, (await weakeningIn(world)).lines, world),
      ...checkPolicy(known, world),
      checkRules(known, world),
      await checkCareful(known.root, world),
      ...packs.toSorted((a, b) => a.order - b.order).flatMap(({ check }) => check(known, status, world)),
      ...checkNotify(known, world),
      ...checkTeamState(known, status, world),
      ...checkTelemetry(known, status, world),
      checkSessions(world),
      checkLedger(known, status, world),
      checkUndo(known, world),
      checkFailures(world),
      ...(input.has('prove') ? [await checkProof(known, world)] : []),
    ];
    const healthy = needsAttention(sections).length === 0;
    if (input.has('json'))
      printJson(world, {
        healthy,
        sections: sections.map(({ facts, ...section }) => ({ ...section, facts: Object.fromEntries(facts) })),
      });
    else showReport(sections, world);
    return healthy ? 0 : 1;
  },
};

export default { order: 40, verbs: { doctor } } satisfies VerbFile;
