import type { Layer } from '../../workspace/config/layer.ts';
import type { CliWorld } from '../command.ts';
import { shown } from '../known-rules.ts';
import type { KnownRules } from '../known-rules.ts';
import type { Finding, Section } from './report.ts';

/** Settings of the user and of the project: what they hold, what is wrong with them, what is trusted. */
export function checkSettings({ root, layers }: KnownRules, world: CliWorld): Section {
  const all = [layers.user, layers.project];
  return {
    title: 'Settings',
    facts: [
      ['workspace', root],
      ['user', describe(layers.user)],
      ['project', describe(layers.project)],
      ...(layers.project.state === 'absent' ? [] : [['trust', layers.project.state] as const]),
    ],
    findings: [...all.flatMap((layer) => problemsOf(layer, world)), ...trustOf(layers.project, root)],
  };
}

function describe({ state, files }: Layer): string {
  if (state === 'absent') return 'none';
  const countOf = (kind: string) => files.filter((file) => file.kind === kind).length;
  const parts = [
    ['config', 'settings file'],
    ['rule', 'rule'],
    ['message', 'message'],
  ].flatMap(([kind = '', name = '']) => {
    const count = countOf(kind);
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`];
  });
  return parts.join(', ') || 'empty';
}

function problemsOf({ problems, files }: Layer, world: CliWorld): Finding[] {
  return problems.map(({ file, line, key, message, severity }) => {
    const state = files.find(({ path }) => path === file)?.state;
    return {
      level: severity === 'error' ? 'attention' : 'note',
      what: `${shown(world, file)}:${line}${key === '' ? '' : ` ${key}`}: ${message}`,
      why:
        state === 'kept'
          ? 'The file’s last good version stays in force until this is mended.'
          : state === 'ok'
            ? 'The rest of the file is in force.'
            : 'The file has no effect.',
      next: `edit ${shown(world, file)}, then fairlead doctor`,
    };
  });
}

function trustOf({ state, trust, skipped }: Layer, root: string): Finding[] {
  if (state === 'untrusted') {
    return [
      {
        level: 'attention',
        what: `This project brings ${skipped?.names.length ?? 0} files that are not trusted: ${listed(skipped?.names ?? [])}.`,
        why: 'Until a person accepts their exact content they have no effect.',
        next: `fairlead trust ${root}`,
      },
    ];
  }
  if (state !== 'changed') return [];
  const parts = (
    [
      ['changed', trust?.changed],
      ['new', trust?.added],
      ['removed', trust?.removed],
    ] as const
  ).flatMap(([what, names = []]) => (names.length === 0 ? [] : [`${what}: ${listed(names)}`]));
  return [
    {
      level: 'attention',
      what: `This project’s files are not what was trusted (${parts.join('; ')}).`,
      why: 'None of its settings, rules and messages has any effect until a person accepts the new content.',
      next: `fairlead trust ${root}`,
    },
  ];
}

function listed(names: readonly string[]): string {
  return names.slice(0, 5).join(', ') + (names.length > 5 ? `, and ${names.length - 5} more` : '');
}
