import type { Command, Option } from './command.ts';
import { VERBS } from './verbs.generated.ts';

export function helpForAll(version: string): string {
  const width = Math.max(...Object.keys(VERBS).map((verb) => verb.length));
  const lines = Object.entries(VERBS).map(([verb, { summary }]) => `  ${verb.padEnd(width)}  ${summary}`);
  return [
    `fairlead ${version}: one engine for the hooks of a coding agent`,
    '',
    'usage: fairlead <verb> [options]',
    '',
    ...lines,
    '',
    'fairlead <verb> --help explains one verb. FAIRLEAD_HOME moves everything fairlead keeps into one directory.',
    '',
  ].join('\n');
}

export function helpForGroup(group: string): string {
  const own = Object.entries(VERBS).filter(([verb]) => verb.startsWith(`${group} `));
  const width = Math.max(...own.map(([verb]) => verb.length));
  return [
    `usage: fairlead ${group} <${own.map(([verb]) => verb.slice(group.length + 1)).join('|')}>`,
    '',
    ...own.map(([verb, { summary }]) => `  ${verb.padEnd(width)}  ${summary}`),
    '',
  ].join('\n');
}

export function helpFor(verb: string, command: Command): string {
  const options: Record<string, Option> = {
    ...command.options,
    help: { type: 'boolean', short: 'h', help: 'show this text' },
  };
  const names = Object.entries(options).map(([name, option]) => ({
    left: `${option.short === undefined ? '    ' : `-${option.short}, `}--${name}${option.type === 'string' ? ` ${option.value ?? 'TEXT'}` : ''}`,
    help: option.help,
  }));
  const width = Math.max(...names.map(({ left }) => left.length));
  return [
    `fairlead ${verb}: ${command.summary}`,
    '',
    `usage: fairlead ${verb}${command.usage === undefined ? '' : ` ${command.usage}`} [options]`,
    ...(command.details === undefined ? [] : ['', command.details.trim()]),
    '',
    ...names.map(({ left, help }) => `  ${left.padEnd(width)}  ${help}`),
    '',
  ].join('\n');
}
