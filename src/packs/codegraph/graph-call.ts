import { readShell } from '../../shell/read.ts';
import type { ShellCommand } from '../../shell/command.ts';
import type { Event } from '../../engine/rule.ts';
import type { Provider, QueryCommand } from './providers.ts';

/** A call that asks a graph. */
export interface GraphCall {
  /** Providers that it asks, first asked first. */
  readonly families: readonly string[];
  /** Joins its beginning and its end. */
  readonly id: string;
}

const RUNNERS = new Set(['npx', 'bunx', 'pnpx', 'uvx']);

/** What the event's call asks of graphs; undefined when it asks nothing. */
export function graphCallOf(
  { tool, cwd }: Event,
  providers: readonly Provider[],
  place: { readonly home: string; readonly root: string },
): GraphCall | undefined {
  if (!tool) return undefined;
  const families =
    tool.kind === 'shell'
      ? askedBy(tool.command ?? '', providers, { cwd, ...place })
      : providers.filter((provider) => isUse(provider, tool)).map(({ id }) => id);
  return families.length === 0 ? undefined : { families, id: tool.id ?? tool.name };
}

function isUse({ server, use }: Provider, { mcp, input }: NonNullable<Event['tool']>): boolean {
  if (mcp?.server !== server) return false;
  if (!use) return true;
  const asked = (argument: string) => String(input[argument]).trim().toLowerCase();
  return use.some(({ tool, argument, values }) => mcp.tool === tool && values.includes(asked(argument)));
}

function askedBy(
  command: string,
  providers: readonly Provider[],
  place: { readonly cwd: string; readonly home: string; readonly root: string },
): string[] {
  const named = providers.filter(({ command: own }) => own && command.includes(own.program));
  if (named.length === 0) return [];
  const { commands } = readShell(command, place);
  const asked = commands.flatMap((one) =>
    named.filter(({ command: own }) => own && asks(one, own)).map(({ id }) => id),
  );
  return [...new Set(asked)];
}

function asks({ program, words }: ShellCommand, command: QueryCommand): boolean {
  const { program: wanted, group, verbs, elsewhere } = command;
  let rest = words.slice(1).map(({ value }) => value);
  if (RUNNERS.has(program)) {
    const at = rest.findIndex((word) => !word.startsWith('-'));
    if (baseOf(rest[at] ?? '') !== wanted) return false;
    rest = rest.slice(at + 1);
  } else if (program !== wanted) return false;
  const plain = rest.filter((word) => !word.startsWith('-'));
  const [first = '', second = ''] = plain;
  if (group === undefined) return verbs.includes(first);
  return [{ group, verbs }, elsewhere].some((one) => one?.group === first && one.verbs.includes(second));
}

/** `codegraph` of `@owner/codegraph@1.2`. */
function baseOf(word: string): string {
  return word.replace(/^@[^/]*\//, '').replace(/@.*$/, '');
}
