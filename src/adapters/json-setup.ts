import type { AgentSetup } from '../event/agent-setup.ts';
import type { EventName } from '../event/event.ts';
import type { SettingsLocation, SetupFiles } from './adapter.ts';
import type { Fields } from './fields.ts';
import { isFields, textAt } from './fields.ts';
import { SCOPES } from './installer.ts';
import type { Scope } from './installer.ts';

const EMPTY: Fields = Object.freeze({});
const TEXT_OR_COMMENT = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g;

/** What a file of settings holds; what cannot be read counts as empty. */
export function fieldsOf(text = '', comments = false): Fields {
  try {
    const plain = comments ? text.replace(TEXT_OR_COMMENT, (part) => (part.startsWith('"') ? part : '')) : text;
    const value: unknown = JSON.parse(plain);
    return isFields(value) ? value : EMPTY;
  } catch {
    return EMPTY;
  }
}

/** The names of the tool servers that settings register. */
export function serversIn(settings: Fields): string[] {
  const servers = fieldsAt(settings, 'mcpServers');
  return Object.keys(servers).filter((name) => isFields(servers[name]));
}

/** The hooks that settings register, in groups by the agent's name of the event. */
export function hooksIn(settings: Fields, canonicalName: (name: string) => EventName): AgentSetup['hooks'] {
  return Object.entries(fieldsAt(settings, 'hooks')).flatMap(([name, groups]) => {
    const event = canonicalName(name);
    if (event === 'unknown') return [];
    return listOf(groups)
      .flatMap((group) => listOf(group['hooks']))
      .flatMap((hook) => {
        const command = hook['type'] === 'command' ? textAt(hook, 'command') : undefined;
        return command === undefined ? [] : [{ event, command: [command, ...textsAt(hook, 'args')].join(' ') }];
      });
  });
}

export function fieldsAt(fields: Fields, key: string): Fields {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return isFields(value) ? value : EMPTY;
}

export function textsAt(fields: Fields, key: string): string[] {
  const value = fields[key];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

export function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** More than this is no settings file that anybody wrote. */
const MAX_BYTES = 8 << 20;

/** What there is to know of an agent that keeps servers and hooks in one file of each scope. */
export interface SetupWords {
  settingsPath(scope: Scope, location: SettingsLocation): string | undefined;
  canonicalName(name: string): EventName;
  /** What the agent puts before the names of a server's tools. */
  prefix(server: string): string;
}

/** The servers and hooks of a project's sessions, from all its settings. Extensions bring others, which are not looked for. */
export function setupReader({ settingsPath, canonicalName, prefix }: SetupWords) {
  return (location: SettingsLocation, files: SetupFiles): AgentSetup => {
    const settings = SCOPES.flatMap((scope) => {
      const path = settingsPath(scope, location);
      return path === undefined ? [] : [fieldsOf(files.readText(path, MAX_BYTES), true)];
    });
    return {
      servers: [...new Set(settings.flatMap(serversIn))].map((name) => ({ name, prefix: prefix(name) })),
      hooks: settings.flatMap((each) => hooksIn(each, canonicalName)),
    };
  };
}
