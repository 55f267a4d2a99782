import { isBorrowedName, isBorrowedPath, isOtherProgram } from '../../workspace/config/borrowed-files.ts';
import type { Layer } from '../../workspace/config/layer.ts';
import type { CliWorld } from '../command.ts';
import { shown } from '../known-rules.ts';
import type { KnownRules } from '../known-rules.ts';
import { messagesOf } from '../rule-messages.ts';
import { counted } from '../table.ts';
import type { Finding, Section } from './report.ts';

/** Settings of the user and of the project: what they hold, what is wrong with them, what is trusted. */
export function checkSettings(known: KnownRules, weakened: readonly string[], world: CliWorld): Section {
  const { root, layers } = known;
  const all = [layers.user, layers.project];
  return {
    title: 'Settings',
    facts: [
      ['project', root],
      ['your own', describe(layers.user)],
      ['its own', describe(layers.project)],
      ...(layers.project.state === 'absent' ? [] : [['trust', layers.project.state] as const]),
    ],
    findings: [
      ...all.flatMap((layer) => problemsOf(layer, root, world)),
      ...messagesUnfit(known, world),
      ...trustOf(layers.project, root),
      ...weakened.map((line): Finding => ({
        level: 'attention',
        what: `${line}.`,
        why: 'Something other than the verbs of Fairlead changed that, and nobody has accepted it.',
        next: 'undo it, or run fairlead accept in a terminal that no agent started',
      })),
    ],
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
    return count === 0 ? [] : [counted(count, name)];
  });
  return parts.join(', ') || 'empty';
}

/** What is wrong with borrowed files stands with the pack that reads them: where it is off, nobody asked. */
function problemsOf({ problems, files }: Layer, root: string, world: CliWorld): Finding[] {
  const own = problems.filter(({ file }) => !isBorrowedPath(root, file));
  return own.map(({ file, line, key, message, severity }) => {
    const state = files.find(({ path }) => path === file)?.state;
    return {
      level: severity === 'error' ? 'attention' : 'note',
      at: { file, line },
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

/** Overrides that can be read but do not fit their rule; those that cannot be read are problems of their layer. */
function messagesUnfit({ rules, layers }: KnownRules, world: CliWorld): Finding[] {
  const known = new Set([layers.user, layers.project].flatMap(({ problems }) => problems.map(({ file }) => file)));
  return rules
    .flatMap((rule) => messagesOf(rule, layers))
    .flatMap(({ source, status, file, problem, rule }): Finding[] => {
      if (status !== 'broken' || isOtherProgram(source) || file === undefined || known.has(file)) return [];
      return [
        {
          level: 'note',
          at: { file },
          what: `${shown(world, file)}: ${problem}`,
          why: `The rule ${rule} says its own words instead.`,
          next: `edit ${shown(world, file)}, then fairlead message list`,
        },
      ];
    });
}

function trustOf({ state, trust, skipped }: Layer, root: string): Finding[] {
  if (state === 'untrusted') {
    const names = skipped?.names ?? [];
    return [
      {
        level: 'attention',
        what: `This project brings ${counted(names.length, 'file')} that ${names.length === 1 ? 'is' : 'are'} not trusted: ${listed(names)}.`,
        why: 'Nothing of it has any effect until a person accepts the exact content.',
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
  ).flatMap(([what, all = []]) => {
    const names = all.filter((name) => !isBorrowedName(name));
    return names.length === 0 ? [] : [`${what}: ${listed(names)}`];
  });
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
