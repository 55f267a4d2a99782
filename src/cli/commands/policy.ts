import { nodeFiles } from '../../platform/files.ts';
import { resolve } from '../../platform/paths.ts';
import { readActs, recordAct } from '../../team/acts.ts';
import type { PolicyAct } from '../../team/acts.ts';
import { readCheck } from '../../team/fetch-policy.ts';
import { sourceProblem } from '../../team/source.ts';
import { glassPath, MAX_GLASS_MS, teamDir } from '../../team/place.ts';
import type { BrokenGlass, TeamSettings } from '../../team/place.ts';
import { holds, teamOf } from '../../workspace/team-standing.ts';
import { acceptingOwn } from '../accepted-settings.ts';
import { CommandError, JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { knownRules } from '../known-rules.ts';
import { formatTime, printableLine } from '../table.ts';
import { followed, refresh, settle } from '../team-policy.ts';
import { timeSpan } from '../time-span.ts';
import { editConfigFile, userConfigPath } from '../user-config.ts';
import { keysIn } from './policy-author.ts';

const ACTS_SHOWN = 10;

const show: Command = {
  summary: 'the policy in force here, and what it holds',
  details:
    'Which version, in which ring, which rules it changes, and what people did about it. Exit code 1 where none is in force.',
  options: JSON_OPTION,
  async run(input, world) {
    const { rules, layers } = await knownRules(world);
    const settings = await followed(world);
    const { policy, glass } = layers.team ?? {};
    const team = teamOf(layers);
    const changed = rules.filter((rule) => rule.policy !== undefined);
    const acts = readActs(world.paths.state, nodeFiles).slice(-ACTS_SHOWN);
    const check = readCheck(teamDir(world.paths.state, settings), nodeFiles);
    if (input.has('json')) {
      const of = changed.map(({ meta, mode, held, lowered }) => ({
        id: meta.id,
        mode,
        held: held === true,
        ...(lowered && { lowered }),
      }));
      printJson(world, {
        source: settings.policy,
        policy,
        stage: team?.stage,
        ring: team?.ring,
        glass,
        check,
        rules: of,
        acts,
      });
      return team ? 0 : 1;
    }
    if (!policy) {
      world.out(
        `${settings.policy} is followed, and nothing of it is in force.\n${check?.problem ? `${printableLine(check.problem)}\n` : ''}`,
      );
      return 1;
    }
    world.out(`${policy.name}@${policy.version} from ${settings.policy}\n`);
    world.out(
      `accepted ${formatTime(policy.acceptedAt)}, expires ${policy.expires}, signed text ${policy.digest.slice(0, 12)}\n`,
    );
    if (glass) world.out(`does not count until ${formatTime(glass.until)}: ${printableLine(glass.reason)}\n`);
    if (team)
      world.out(
        `${team.stage}, ${team.ring === 0 ? 'in no ring' : `ring ${team.ring}`}; settings that are weaker are ${holds(team) ? 'refused' : 'reported'}\n`,
      );
    if (check?.problem !== undefined)
      world.out(`last look, ${formatTime(check.at)}: ${printableLine(check.problem)}\n`);
    for (const { meta, mode, held, lowered } of changed)
      world.out(`  ${meta.id}  ${mode}${held ? ', held' : ''}${lowered ? `, the policy wants ${lowered}` : ''}\n`);
    for (const { at, did, policy: of, by, reason } of acts)
      world.out(
        `  ${formatTime(at)}  ${did}${of === undefined ? '' : ` ${of}`}${by === undefined ? '' : `, by ${printableLine(by)}`}${reason === undefined ? '' : `: ${printableLine(reason)}`}\n`,
      );
    return team ? 0 : 1;
  },
};

const follow: Command = {
  summary: 'put a signed policy above your own settings',
  gated: 'whoever signs the policy says which rules hold here',
  changesRules: true,
  usage: '<source>',
  details: `SOURCE is a file, as one in a checkout of git, or an address of https. The policy counts once one of the keys has signed it. It is looked at
again every few minutes while agents work; what cannot be had or is refused leaves the one before in force. Denials add up: a policy has rules act
harder, never less hard, and you may always tighten.`,
  args: [1, 1],
  options: {
    key: {
      type: 'string',
      multiple: true,
      value: 'ed25519:…',
      help: 'a public key that signs it, or a file that holds one',
    },
    label: { type: 'string', multiple: true, value: 'WORD', help: 'what rings know this machine by' },
    ...JSON_OPTION,
  },
  check: (input, world) => void settingsIn(input, world),
  async run(input, world) {
    const settings = settingsIn(input, world);
    const { kept, problem } = await refresh(settings, world);
    if (!kept) throw new CommandError(`nothing was changed: ${problem ?? 'the policy cannot be had'}`);
    const file = userConfigPath(world.paths.config);
    const edits = [
      { path: ['team', 'policy'], value: settings.policy },
      { path: ['team', 'keys'], value: settings.keys },
      ...(settings.labels ? [{ path: ['team', 'labels'], value: settings.labels }] : []),
    ];
    await acceptingOwn(world, () => editConfigFile(file, edits, nodeFiles));
    await settle(world);
    const name = `${kept.bundle.name}@${kept.bundle.version}`;
    record({ at: Date.now(), did: 'followed', policy: name }, world);
    if (input.has('json')) return printJson(world, { followed: settings.policy, policy: name });
    world.out(`${name} is in force here. \`fairlead policy show\` says what it holds.\n`);
  },
};

function settingsIn(input: Input, world: CliWorld): TeamSettings {
  const [given = ''] = input.args;
  const policy = /^https?:/.test(given) ? given : resolve(world.cwd, given);
  const problem = sourceProblem(policy);
  if (problem !== undefined) throw new UsageError(`${given} ${problem}`);
  const keys = keysIn(input.list('key'), world);
  if (keys.length === 0) throw new UsageError('--key names the public key that signs the policy');
  const labels = input.list('label');
  return { policy, keys, ...(labels.length > 0 && { labels }) };
}

function record(act: PolicyAct, { paths, env }: CliWorld): void {
  const by = env['USER'] ?? env['LOGNAME'];
  recordAct({ ...act, ...(by === undefined ? {} : { by }) }, paths.state, nodeFiles);
}

const leave: Command = {
  summary: 'follow the policy no more',
  gated: 'what the policy holds counts no more',
  changesRules: true,
  options: JSON_OPTION,
  async run(input, world) {
    const { policy } = await followed(world);
    await acceptingOwn(world, () =>
      editConfigFile(userConfigPath(world.paths.config), [{ path: ['team'] }], nodeFiles),
    );
    await settle(world);
    record({ at: Date.now(), did: 'left', policy }, world);
    if (input.has('json')) return printJson(world, { left: policy });
    world.out(`${policy} is not followed any more.\n`);
  },
};

const refreshing: Command = {
  summary: 'look at the source of the policy now',
  changesRules: true,
  details: 'Exit code 1 where nothing could be had, or what was had is refused; the policy before stays in force then.',
  options: JSON_OPTION,
  async run(input, world) {
    const { kept, isNew, problem } = await refresh(await followed(world), world);
    await settle(world);
    const name = kept && `${kept.bundle.name}@${kept.bundle.version}`;
    if (input.has('json')) printJson(world, { isNew, policy: name, problem });
    else if (problem !== undefined) throw new CommandError(`refused, and the policy before stays in force: ${problem}`);
    else world.out(isNew ? `${name} is in force now.\n` : 'Nothing new.\n');
    return problem === undefined ? 0 : 1;
  },
};

const breakGlass: Command = {
  summary: 'for a time, have the policy not count, with a reason',
  gated: 'what the policy holds does not count meanwhile',
  changesRules: true,
  details: `For emergencies. Your own settings and the project's count meanwhile. Who did it, when and why stays on record, sessions are told, and
\`doctor\` says so until it is over. \`policy mend\` ends it early.`,
  options: {
    for: { type: 'string', value: 'TIME', help: 'how long: 30m, 1h; at most a day' },
    reason: { type: 'string', value: 'TEXT', help: 'why, for whoever asks later' },
    ...JSON_OPTION,
  },
  check: (input) => void glassIn(input),
  async run(input, world) {
    const settings = await followed(world);
    const glass = glassIn(input);
    const dir = teamDir(world.paths.state, settings);
    nodeFiles.makeDir(dir, 0o700);
    nodeFiles.writeAtomic(glassPath(dir), JSON.stringify(glass), 0o600);
    record({ at: glass.since, did: 'broke glass', reason: glass.reason, until: glass.until }, world);
    await settle(world);
    if (input.has('json')) return printJson(world, { ...glass });
    world.out(`The policy does not count until ${formatTime(glass.until)}. \`fairlead policy mend\` ends that.\n`);
  },
};

function glassIn(input: Input): BrokenGlass {
  const reason = input.text('reason')?.trim() ?? '';
  if (reason === '') throw new UsageError('--reason says why, and stays on record');
  const since = Date.now();
  return {
    since,
    until: since + timeSpan('--for', input.text('for') ?? '30m', MAX_GLASS_MS),
    reason: reason.slice(0, 500),
  };
}

const mend: Command = {
  summary: 'end `policy break-glass`',
  changesRules: true,
  options: JSON_OPTION,
  async run(input, world) {
    const path = glassPath(teamDir(world.paths.state, await followed(world)));
    const changed = nodeFiles.exists(path);
    nodeFiles.remove(path);
    await settle(world);
    if (changed) record({ at: Date.now(), did: 'mended glass' }, world);
    if (input.has('json')) return printJson(world, { changed });
    world.out(changed ? 'The policy counts again.\n' : 'Nothing was broken; the policy counts.\n');
  },
};

export default {
  order: 210,
  groups: { policy: 'a signed policy of a team' },
  verbs: {
    'policy show': show,
    'policy follow': follow,
    'policy leave': leave,
    'policy refresh': refreshing,
    'policy break-glass': breakGlass,
    'policy mend': mend,
  },
} satisfies VerbFile;
