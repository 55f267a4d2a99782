import { INSTALLERS } from '../../adapters/installers.generated.ts';
import { canonicalPath, nodeFiles } from '../../platform/files.ts';
import { dirname } from '../../platform/paths.ts';
import { launchDir } from '../../transport/launch-place.ts';
import { areOtherUsersAccepted, hookUrl, readHttpAccess } from '../../transport/http-access.ts';
import { unguardedSince } from '../../workspace/wired.ts';
import { missingParts } from '../agents.ts';
import type { CliWorld } from '../command.ts';
import { blocksOnFailure } from '../install/fail-closed.ts';
import type { FailClosed } from '../install/fail-closed.ts';
import { differenceIn } from '../install/heard.ts';
import type { Heard } from '../install/heard.ts';
import { initFor } from '../install/rewire.ts';
import { inspectInstall, refusalOf } from '../install/inspect.ts';
import { originalHooks } from '../install/original-hooks.ts';
import type { Wiring } from '../install/inspect.ts';
import { readRecords } from '../install/record.ts';
import { targetOf } from '../install/target.ts';
import { whyNotTrusted } from '../install/trust.ts';
import { shown } from '../known-rules.ts';
import type { KnownRules } from '../known-rules.ts';
import { counted } from '../table.ts';
import { differencesOf } from './own-file.ts';
import type { Fact, Finding, Section } from './report.ts';

/** What the agent calls beside the pack that was made after it, where that is on. */
export function checkOriginals({ root, rules }: KnownRules, world: CliWorld): Section[] {
  const isOn = (pack: string) => rules.some(({ meta, mode }) => meta.pack === pack && mode !== 'off');
  const found = originalHooks(inspectInstall(root, world), world).filter(({ pack }) => isOn(pack));
  if (found.length === 0) return [];
  const findings = found.map(({ program, what, file, both, pack }): Finding => ({
    level: 'note',
    what: `The agent also calls ${program}: ${what} in ${file}.`,
    why: `Beside the pack ${pack}, ${both}.`,
    next: `take ${program} out of ${file}, or fairlead packs off ${pack}`,
  }));
  return [{ title: 'Originals of packs', facts: [], findings }];
}

/** Whether agents that work in this directory call us, once, and can start or reach us. */
export function checkWiring(root: string, world: CliWorld, failClosed: FailClosed, heard: Heard): Section {
  const all = inspectInstall(root, world);
  const found = all.filter(({ exists }) => exists);
  const ours = found.filter(({ wired }) => wired.length > 0);
  const findings = [
    ...all.flatMap((file) => lostOf(file, world)),
    ...found.flatMap((file) => problemsOf(file, world)),
    ...found.flatMap((file) => differencesOf(file, world)),
    ...ours.flatMap((file) => eventsOf(file, ours, heard, world)),
    ...ours.flatMap((file) => callsOf(file, world)),
    ...ours.filter(({ posted }) => posted.size > 0).flatMap((file) => postsOf(file, found, world)),
    ...ours.flatMap((file) => failuresOf(file, world, failClosed)),
    ...ours.flatMap((file) => narrowedOf(file, world)),
    ...ours.flatMap((file) => distrustedOf(file, root, world)),
    ...policiesOf(found, world),
    ...duplicatesOf(ours, world),
  ];
  if (!ours.some(({ valid }) => valid)) {
    findings.unshift({
      level: 'attention',
      what:
        ours.length === 0
          ? `No agent that works in ${root} calls Fairlead.`
          : 'The agent ignores every settings file that calls Fairlead.',
      why: 'No event arrives, so no rule advises or protects here.',
      next: ours.length === 0 ? `fairlead init ${root}` : 'mend the file named below, then fairlead doctor',
    });
  }
  return {
    title: 'Wiring',
    facts: [
      ...ours.map(({ agent, scope, path, wired, foreign, transport, plugin }): Fact => [
        `${agent}, ${scope}`,
        `${counted(wired.length, 'event')} by ${plugin?.name ?? transport} in ${shown(world, path)}${foreign > 0 ? `, beside ${counted(foreign, 'hook')} of others` : ''}`,
      ]),
      ...[...new Set(ours.map(({ agent }) => agent))].flatMap((agent) =>
        missingParts(agent).map(([part, without]): Fact => [`${agent}, ${part}`, without]),
      ),
    ],
    findings,
  };
}

/** Where `init` wired an agent that calls us no more. */
function lostOf(wiring: Wiring, world: CliWorld): Finding[] {
  const { agent, path, wired } = wiring;
  if (wired.length > 0) return [];
  const record = readRecords(nodeFiles, world.paths.state)[canonicalPath(nodeFiles, path)];
  if (!record) return [];
  const since = unguardedSince(nodeFiles, world.paths.state, world.engine().clock.now(), dirname(dirname(path)));
  return [
    {
      level: 'attention',
      what: `${shown(world, path)} does not call Fairlead any more${since === undefined ? '' : `: unguarded since ${since}`}.`,
      why: `\`fairlead init\` wired ${agent} there, and somebody took that out since. No event of it arrives from there.`,
      next: initFor(wiring, world),
    },
  ];
}

/** What keeps the agent from running what a file holds. */
export function problemsOf(wiring: Wiring, world: CliWorld): Finding[] {
  const { path, problems, switches, wired, transport } = wiring;
  const file = shown(world, path);
  const isOurs = wired.length > 0;
  const findings = problems.map(({ message, line, path: key, disables }): Finding => ({
    level: isOurs || disables === 'file' ? 'attention' : 'note',
    at: { file: path, ...(line === undefined ? {} : { line }) },
    what: `${file}${line === undefined ? '' : `:${line}`}${key === '' ? '' : ` ${key}`}: ${message}`,
    why: disables === 'file' ? 'The agent leaves out every hook in this file.' : 'The agent leaves this entry out.',
    next: `edit ${file}`,
  }));
  for (const name of switches) {
    findings.push({
      level: 'attention',
      at: { file: path },
      what: `${file} sets ${name}.`,
      why: 'It keeps hooks from running, so the rules are not asked.',
      next:
        wiring.scope === 'policy'
          ? `ask the administrator of this machine to take ${name} out, or to run Fairlead from that file`
          : `take ${name} out of ${file}, or leave it if that is meant`,
    });
  }
  if (transport === 'mixed') {
    findings.push({
      level: 'note',
      what: `${file} calls Fairlead in several ways.`,
      why: 'It works, but entries were edited by hand or come from several versions.',
      next: initFor(wiring, world),
    });
  }
  return findings;
}

/** Where rules listen and nobody calls, or somebody calls and nobody listens. */
function eventsOf(wiring: Wiring, ours: readonly Wiring[], heard: Heard, world: CliWorld): Finding[] {
  const installer = INSTALLERS.find(({ agent }) => agent === wiring.agent);
  if (!installer) return [];
  const file = shown(world, wiring.path);
  const next = initFor(wiring, world);
  const { missing, needless } = differenceIn(wiring, ours, installer, heard);
  const findings: Finding[] = [];
  const unheard = missing.filter(({ rules }) => rules.length > 0);
  const rest = missing.filter(({ rules }) => rules.length === 0);
  if (unheard.length > 0)
    findings.push({
      level: 'attention',
      what: `${file} does not call Fairlead on ${unheard.map(({ name }) => name).join(', ')}.`,
      why: `Rules in force listen there and do not run: ${listed([...new Set(unheard.flatMap(({ rules }) => rules))])}.`,
      next,
    });
  if (rest.length > 0)
    findings.push({
      level: 'note',
      what: `${file} does not call Fairlead on ${rest.map(({ name }) => name).join(', ')}.`,
      why: 'No rule in force listens there now. One that comes later does not run.',
      next,
    });
  if (needless.length > 0)
    findings.push({
      level: 'note',
      what: `${file} calls Fairlead on ${needless.join(', ')}, where no rule in force listens.`,
      why: 'Each such event starts a process for nothing.',
      next,
    });
  return findings;
}

const SHOWN = 5;

function listed(ids: readonly string[]): string {
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : '';
  return `${ids.slice(0, SHOWN).join(', ')}${more}`;
}

function callsOf(wiring: Wiring, world: CliWorld): Finding[] {
  const { path, calls, scope, blocking, plugin } = wiring;
  const file = shown(world, path);
  const more = scope === 'local' ? '' : ` --scope ${scope}`;
  return calls.flatMap(({ words, home, problem }): Finding[] => {
    if (problem !== undefined) {
      return [
        {
          level: 'attention',
          what: `The hooks in ${file} cannot start: ${problem}.`,
          why: `The agent runs \`${words.join(' ')}\` on each event. It gets no answer, and ${blocking.size > 0 ? `stops on ${[...blocking].join(', ')}` : 'goes on'}.`,
          next: initFor(wiring, world),
        },
      ];
    }
    if (home.config === world.paths.config && home.state === world.paths.state) return fragile(wiring, words, world);
    return [
      {
        level: 'attention',
        what: `The hooks in ${file} use another home than this command: settings in ${home.config}, state in ${home.state}.`,
        why: 'What this command shows and changes is not what the agent uses.',
        next:
          scope === 'policy'
            ? 'ask the administrator of this machine which home is meant'
            : plugin
              ? `${plugin.removal}, then fairlead init, which names this home`
              : `fairlead uninstall${more}, then fairlead init${more}`,
      },
    ];
  });
}

/** Entries of an older version start files of the package, which go with it. */
function fragile(wiring: Wiring, words: readonly string[], world: CliWorld): Finding[] {
  const { path, scope, plugin } = wiring;
  const dir = launchDir(world.paths.state);
  const isSettled = words.some((word) => word.startsWith(dir));
  if (isSettled || plugin || scope === 'project' || words.length < 2 || process.platform === 'win32') return [];
  return [
    {
      level: 'note',
      what: `The hooks in ${shown(world, path)} start files of one copy of Fairlead.`,
      why: `They fail when that copy is removed, moved or updated. Hooks that \`init\` writes start what lies in ${shown(world, dir)}.`,
      next: initFor(wiring, world),
    },
  ];
}

/** What keeps posts from arriving or being answered, or lets others answer them. */
function postsOf(wiring: Wiring, all: readonly Wiring[], world: CliWorld): Finding[] {
  const { agent, path, targets, mode, scope } = wiring;
  const file = shown(world, path);
  const findings: Finding[] = [];
  const find = (what: string, why: string, next = initFor(wiring, world)): void =>
    void findings.push({ level: 'attention', what, why, next });

  findings.push({
    level: areOtherUsersAccepted(nodeFiles, world.paths.run) ? 'note' : 'attention',
    what: `${file} posts events, so another user of this machine can answer them while the engine is down.`,
    why: 'Whoever takes its port then gets the token and all that the agent posts, and can allow or rewrite its calls.',
    next: scope === 'policy' ? initFor(wiring, world) : `fairlead init${scope === 'local' ? '' : ` --scope ${scope}`}`,
  });
  const access = readHttpAccess(nodeFiles, world.paths.run);
  const url = access && hookUrl(access.port, agent);
  if (targets.some((target) => target.token !== access?.token || target.url !== url))
    find(
      `The hooks in ${file} post to another port or with another token than the engine has.`,
      'Their events get no answer, so no rule advises or protects on them.',
    );
  if (mode !== undefined && (mode & 0o077) !== 0)
    find(`Others can read ${file}, which holds a token.`, 'Who has the token can send events in your name.');
  const setting = targets.map((target) => refusalOf(target.url, agent, all)).find((name) => name !== undefined);
  if (setting !== undefined)
    find(
      `${setting} in the agent's settings does not allow ${targets[0]?.url}.`,
      'The agent does not post, so no rule advises or protects on these events.',
      `add the address to ${setting}, or use fairlead init --transport command`,
    );
  const posting = INSTALLERS.find((each) => each.agent === agent)?.posting;
  const proxy = posting?.proxyInTheWay(world.env);
  if (proxy !== undefined)
    find(
      `${proxy} is set in this shell and NO_PROXY does not name 127.0.0.1.`,
      'An agent started from here sends events, and the token, to the proxy.',
      'add 127.0.0.1 to NO_PROXY, or use fairlead init --transport command',
    );
  return findings;
}

/** Where entries stop the agent when they fail although no rule asks for it, or let it go on although one does. */
function failuresOf(wiring: Wiring, world: CliWorld, failClosed: FailClosed): Finding[] {
  const { agent, path, scope, wired, blocking } = wiring;
  const { mustBlock } = INSTALLERS.find((each) => each.agent === agent) ?? {};
  if (!mustBlock || !blocksOnFailure(scope)) return [];
  const wanted = wired.filter((event) => mustBlock(event, (name) => failClosed(scope, name)));
  const open = wanted.filter((event) => !blocking.has(event));
  const stale = [...blocking].filter((event) => !wanted.includes(event));
  const find = (what: string, why: string): Finding => ({
    level: 'attention',
    what: `${shown(world, path)} ${what}`,
    why,
    next: initFor(wiring, world),
  });
  return [
    ...(open.length > 0
      ? [
          find(
            `lets the agent go on when Fairlead cannot start or answer, on ${open.join(', ')}.`,
            'A rule that must not be skipped listens there. It became active after the hooks were installed, or an older version installed them.',
          ),
        ]
      : []),
    ...(stale.length > 0
      ? [
          find(
            `stops the agent when Fairlead cannot start or answer, on ${stale.join(', ')}.`,
            'No active rule asks for that any more.',
          ),
        ]
      : []),
  ];
}

/** Entries that the agent does not call on every event of their name, or does not wait for. */
function narrowedOf(wiring: Wiring, world: CliWorld): Finding[] {
  return wiring.own.flatMap(({ path, event, narrowed = [] }) =>
    narrowed.map(({ setting, value, lets, isUnheard }): Finding => ({
      level: 'attention',
      what: `${shown(world, wiring.path)} ${path}: ${setting} ${JSON.stringify(value)} ${
        isUnheard
          ? 'lets the agent go on without an answer'
          : lets === undefined || lets.length > 0
            ? `keeps the agent from calling Fairlead on every ${event}`
            : 'fits nothing'
      }.`,
      why: isUnheard
        ? 'No rule can stop or change anything there.'
        : lets === undefined
          ? 'Rules that listen there do not hear of the others.'
          : lets.length === 0
            ? `The agent never calls Fairlead on ${event} from here, so no rule is asked.`
            : `Rules there hear of ${listed(lets)} alone.`,
      next: `take ${setting} out of that entry`,
    })),
  );
}

/** Entries that the agent leaves out, because no person has agreed to them as they are. */
function distrustedOf({ agent, path, scope }: Wiring, root: string, world: CliWorld): Finding[] {
  const installer = INSTALLERS.find((each) => each.agent === agent);
  if (!installer || scope === 'policy' || scope === 'plugin') return [];
  const { objections, byHand } = whyNotTrusted({ installer, path }, scope, targetOf(root, world)) ?? {};
  if (objections === undefined) return [];
  return [
    {
      level: 'attention',
      what: `${agent} leaves out hooks of ${shown(world, path)}: ${objections.join('; ')}.`,
      why: 'It says nothing of that, and no rule advises or protects on those events.',
      next: `${byHand}; or fairlead init --agent ${agent} --scope ${scope} --trust`,
    },
  ];
}

/** The administrator may have several files, and what any of them says counts. */
function policiesOf(found: readonly Wiring[], world: CliWorld): Finding[] {
  return [...new Set(found.map(({ agent }) => agent))].flatMap((agent): Finding[] => {
    const files = found.filter((file) => file.agent === agent && file.scope === 'policy');
    if (files.length < 2) return [];
    const strict = files.filter(({ switches }) => switches.length > 0);
    return [
      {
        level: 'note',
        what: `${agent} has ${files.length} files of the machine's administrator: ${files.map(({ path }) => shown(world, path)).join(', ')}.`,
        why:
          strict.length > 0
            ? `They count together, and ${strict.map(({ path }) => shown(world, path)).join(', ')} keeps hooks from running.`
            : 'They count together: a switch in one of them is not lifted by another.',
        next: 'ask the administrator of this machine which of them is meant',
      },
    ];
  });
}

function duplicatesOf(ours: readonly Wiring[], world: CliWorld): Finding[] {
  return [...new Set(ours.map(({ agent }) => agent))].flatMap((agent): Finding[] => {
    const files = ours.filter((file) => file.agent === agent && file.duplicates.length > 0);
    if (files.length === 0) return [];
    const events = [...new Set(files.flatMap(({ duplicates }) => duplicates))];
    const ways = [
      ...files
        .filter(({ scope }) => scope !== 'policy' && scope !== 'plugin')
        .map(({ scope }) => `fairlead uninstall --scope ${scope}`),
      ...files.flatMap(({ plugin }) => plugin?.removal ?? []),
    ];
    return [
      {
        level: 'attention',
        what: `${agent} calls Fairlead twice on ${events.length > 3 ? `${events.length} events` : events.join(', ')}: from ${files.map(({ path }) => shown(world, path)).join(' and ')}.`,
        why: 'Copies are recognised and say nothing twice, but each costs a process.',
        next:
          ways.length > 0
            ? ways.slice(0, files.length - 1).join(', then ')
            : 'ask the administrator of this machine which file is meant',
      },
    ];
  });
}
