import { heardBy } from '../engine/match/rule-index.ts';
import type { RuleIndex } from '../engine/match/rule-index.ts';
import type { Files } from '../platform/files.ts';
import { contains, join } from '../platform/paths.ts';

/** What installations did, by the settings file that they changed. */
export function installsPath(state: string): string {
  return join(state, 'installs.json');
}

interface Installed {
  readonly scope?: unknown;
  /** The events that nobody heard of when the file was written, so that it does not call on them. */
  readonly unwired?: unknown;
}

/**
 * What the person hears when a session starts while rules in force listen to events that were not wired, as after a rule was
 * added by hand. By what installations have left word of: doctor looks at the files themselves.
 */
export function unwiredNotices(
  { rules }: Pick<RuleIndex, 'rules'>,
  project: string,
  { files, state }: { readonly files: Pick<Files, 'readText'>; readonly state: string },
): readonly string[] {
  const [first, ...others] = unwiredAt(project, files.readText(installsPath(state)));
  const unwired = (first ?? []).filter((event) => others.every((each) => each.includes(event)));
  if (unwired.length === 0) return [];
  const heard = new Set<string>();
  const ids = rules.flatMap(({ meta }) => {
    const missed = heardBy(meta).filter((event) => unwired.includes(event));
    for (const event of missed) heard.add(event);
    return missed.length > 0 ? [meta.id] : [];
  });
  if (ids.length === 0) return [];
  const shown = `${ids.slice(0, SHOWN).join(', ')}${ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : ''}`;
  return [
    `The agent does not tell of ${[...heard].join(', ')}, so ${shown} ${ids.length === 1 ? 'does' : 'do'} not hear of it. \`fairlead init\` wires it.`,
  ];
}

const SHOWN = 3;

/** For each settings file that sessions in a project read. */
function unwiredAt(project: string, text = '{}'): readonly (readonly unknown[])[] {
  let records: unknown;
  try {
    records = JSON.parse(text);
  } catch {
    return [];
  }
  if (typeof records !== 'object' || records === null) return [];
  return Object.entries(records).flatMap(([path, record]: [string, Installed | null]) =>
    Array.isArray(record?.unwired) && (record.scope === 'user' || contains(project, path)) ? [record.unwired] : [],
  );
}
