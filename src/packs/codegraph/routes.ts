import { record } from '../../engine/rule.ts';
import type { AgentSetup, RuleWorkspace } from '../../engine/rule.ts';
import { quote } from '../../shell/quote.ts';
import { BUILT_IN, isFields } from './providers.ts';
import type { Provider, QueryCommand, QueryKind, QueryTool } from './providers.ts';

/** Tools of a provider's server that were called in a workspace, with the name the agent has for each. */
export type SeenTools = Readonly<Record<string, { readonly name: string; readonly at: number }>>;

export const SEEN_TOOLS = record<SeenTools>('codegraph.tools', { scope: 'workspace', ttl: '7d' });
const SEEN_MS = 7 * 86_400_000;
const MAX_SEEN = 20;

/** How a provider can be asked here. */
export type Route =
  | { readonly kind: 'tool'; readonly name: string; readonly tool: QueryTool }
  | { readonly kind: 'command'; readonly command: QueryCommand };

export interface Query {
  readonly kind: QueryKind;
  /** None for `files`. */
  readonly words: readonly string[];
  /** For `files`: the language whose files are asked for; all when absent. */
  readonly language?: string;
}

export interface RouteFacts {
  readonly seen: unknown;
  readonly setup: AgentSetup;
  readonly workspace: Pick<RuleWorkspace, 'hasProgram'>;
  readonly now: number;
}

export function seenWith(before: unknown, tool: string, name: string, now: number): SeenTools {
  const others = seenIn(before, now).filter(([known]) => known !== tool);
  return Object.fromEntries([...others.slice(1 - MAX_SEEN), [tool, { name, at: now }]]);
}

/** A way to ask that exists: a tool that was called here or that its registered server offers, else a program. */
export function routeOf(provider: Provider, { seen, setup, workspace, now }: RouteFacts): Route | undefined {
  const called = new Map(seenIn(seen, now));
  const server = setup.servers.find(({ name }) => name === provider.server);
  for (const tool of provider.tools) {
    const name =
      called.get(tool.tool)?.name ?? (server !== undefined && tool.byDefault ? server.prefix + tool.tool : undefined);
    if (name !== undefined) return { kind: 'tool', name, tool };
  }
  const { command } = provider;
  if (command && (provider.id === BUILT_IN || workspace.hasProgram(command.program)))
    return { kind: 'command', command };
  return undefined;
}

/** A call to paste, for the shell, or a tool's name and its arguments; undefined for a question that this way has no words for. */
export function callOf(route: Route, { kind, words, language }: Query): string | undefined {
  if (kind === 'files' && !listsFiles(route)) return undefined;
  const asked = kind === 'files' ? language : words.join(' ');
  if (route.kind === 'tool') {
    const { name, tool } = route;
    const given = {
      ...(tool.action !== undefined && { [tool.action]: kind }),
      ...(asked !== undefined && { [tool.argument]: asked }),
    };
    return `${name} ${JSON.stringify(given)}`;
  }
  const { program, group, search, callers, files } = route.command;
  const verb = { search, callers: callers ?? search, files: files ?? search }[kind];
  const option = kind === 'files' && asked !== undefined ? ['--language'] : [];
  const value = asked === undefined ? [] : [quote(asked)];
  return [program, ...(group === undefined ? [] : [group]), verb, ...option, ...value].join(' ');
}

/** To most providers a list of files is no question: they look words up. */
function listsFiles(route: Route): boolean {
  return route.kind === 'tool' ? route.tool.action !== undefined : route.command.files !== undefined;
}

/** What takes a question, where there is none to put to it. */
export function askerOf(route: Route): string {
  if (route.kind === 'tool') return route.name;
  const { program, group, search } = route.command;
  return [program, ...(group === undefined ? [] : [group]), search].join(' ');
}

/** What the provider can be asked by; another one means another version of it. */
export function labelOf(route: Route): string {
  return route.kind === 'tool' ? route.name : route.command.program;
}

function seenIn(value: unknown, now: number): [string, SeenTools[string]][] {
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([tool, seen]): [string, SeenTools[string]][] => {
    if (!isFields(seen) || typeof seen['name'] !== 'string' || typeof seen['at'] !== 'number') return [];
    return now - seen['at'] < SEEN_MS ? [[tool, { name: seen['name'], at: seen['at'] }]] : [];
  });
}
