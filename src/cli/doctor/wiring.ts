import type { CliWorld } from '../command.ts';
import { inspectInstall } from '../install/inspect.ts';
import type { Wiring } from '../install/inspect.ts';
import { shown } from '../known-rules.ts';
import { counted } from '../table.ts';
import type { Finding, Section } from './report.ts';

/** Whether agents that work in this directory call us, once, and can start us. */
export function checkWiring(root: string, world: CliWorld): Section {
  const found = inspectInstall(root, world).filter(({ exists }) => exists);
  const ours = found.filter(({ wired }) => wired.length > 0);
  const findings = [
    ...found.flatMap((file) => problemsOf(file, world)),
    ...ours.flatMap((file) => callsOf(file, world)),
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
    facts: ours.map(({ agent, scope, path, wired, foreign }) => [
      `${agent}, ${scope}`,
      `${counted(wired.length, 'event')} in ${shown(world, path)}${foreign > 0 ? `, beside ${counted(foreign, 'hook')} of others` : ''}`,
    ]),
    findings,
  };
}

function problemsOf({ path, problems, switches, wired, missing }: Wiring, world: CliWorld): Finding[] {
  const file = shown(world, path);
  const isOurs = wired.length > 0;
  const findings = problems.map(({ message, line, path: key, disables }): Finding => ({
    level: isOurs || disables === 'file' ? 'attention' : 'note',
    what: `${file}${line === undefined ? '' : `:${line}`}${key === '' ? '' : ` ${key}`}: ${message}`,
    why:
      disables === 'file'
        ? 'The agent ignores the whole file, with every hook in it.'
        : 'The agent leaves this entry out.',
    next: `edit ${file}`,
  }));
  for (const name of switches) {
    findings.push({
      level: 'attention',
      what: `${file} sets ${name}.`,
      why: 'It keeps hooks from running, so the rules are not asked.',
      next: `take ${name} out of ${file}, or leave it if that is meant`,
    });
  }
  if (missing.length > 0) {
    findings.push({
      level: 'note',
      what: `${file} does not call Fairlead on ${missing.join(', ')}.`,
      why: 'Rules that listen to these events do not run.',
      next: 'fairlead init',
    });
  }
  return findings;
}

function callsOf({ path, calls, scope }: Wiring, world: CliWorld): Finding[] {
  const file = shown(world, path);
  const more = scope === 'local' ? '' : ` --scope ${scope}`;
  return calls.flatMap(({ words, home, problem }): Finding[] => {
    if (problem !== undefined) {
      return [
        {
          level: 'attention',
          what: `The hooks in ${file} cannot start: ${problem}.`,
          why: `The agent runs \`${words.join(' ')}\` on each event and goes on without an answer.`,
          next: 'fairlead init',
        },
      ];
    }
    if (home.config === world.paths.config && home.state === world.paths.state) return [];
    return [
      {
        level: 'attention',
        what: `The hooks in ${file} use another home than this command: settings in ${home.config}, state in ${home.state}.`,
        why: 'What this command shows and changes is not what the agent uses.',
        next:
          scope === 'policy'
            ? 'ask the administrator of this machine which home is meant'
            : `fairlead uninstall${more}, then fairlead init${more}`,
      },
    ];
  });
}

function duplicatesOf(ours: readonly Wiring[], world: CliWorld): Finding[] {
  return [...new Set(ours.map(({ agent }) => agent))].flatMap((agent): Finding[] => {
    const files = ours.filter((file) => file.agent === agent && file.duplicates.length > 0);
    if (files.length === 0) return [];
    const events = [...new Set(files.flatMap(({ duplicates }) => duplicates))];
    const removable = files.find(({ scope }) => scope !== 'policy');
    return [
      {
        level: 'attention',
        what: `${agent} calls Fairlead twice on ${events.length > 3 ? `${events.length} events` : events.join(', ')}: from ${files.map(({ path }) => shown(world, path)).join(' and ')}.`,
        why: 'Copies are recognised and say nothing twice, but each costs a process.',
        next: removable
          ? `fairlead uninstall --scope ${removable.scope}`
          : 'ask the administrator of this machine which file is meant',
      },
    ];
  });
}
