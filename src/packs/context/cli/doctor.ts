import { readRelays } from '../../../ledger/relays.ts';
import { CONTEXT_DIR, contextPath, REMINDERS_FILE, REQUIRED_FILES } from '../files.ts';
import { parseStore } from '../reminders.ts';
import { canonicalPath, nodeFiles } from '../../../platform/files.ts';
import { contains, join } from '../../../platform/paths.ts';
import type { LayerFile } from '../../../workspace/config/compiled.ts';
import { isAccepted, settingsOf, readsBorrowed, waitingFiles } from '../../../workspace/policy.ts';
import type { CliWorld } from '../../../cli/command.ts';
import { findContext, isMadeHere } from './context-place.ts';
import type { ContextPlace } from './context-place.ts';
import { shown } from '../../../cli/known-rules.ts';
import type { KnownRules } from '../../../cli/known-rules.ts';
import { messagesOf, orphansOf } from '../../../cli/rule-messages.ts';
import { counted } from '../../../cli/table.ts';
import type { Finding, Section } from '../../../cli/doctor/report.ts';
import { BORROWINGS, isBorrowedPath } from '../../../workspace/config/borrowed-files.ts';
import type { PackDoctor } from '../../../cli/pack-parts.ts';
import { pack } from '../pack.ts';

const PACK = 'context';
const { settings: SETTINGS } = pack.borrows;
const WEEK_MS = 7 * 86_400_000;
const MAX_SHOWN = 5;

export const doctor: PackDoctor = { order: 30, check: (known, _, world) => checkContext(known, world) };

export function checkContext(known: KnownRules, world: CliWorld): Section[] {
  if (!known.rules.some(({ meta, mode }) => meta.pack === PACK && mode !== 'off')) return [];
  const place = findContext(world);
  const missing = place ? missingIn(place) : [];
  const elsewhere = place && linkedTo(place);
  const settings = known.layers.project.files.find(({ kind }) => kind === 'borrowed-settings');
  const messages = known.layers.project.files.filter(({ kind }) => kind === 'borrowed-message');
  const broken = brokenMessages(known, world);
  return [
    {
      title: 'Context',
      facts: [
        [
          CONTEXT_DIR,
          place ? `${contextPath(place.root)}${missing.length > 0 ? ', not initialised' : ''}` : 'none here',
        ],
        ...(place && missing.length === 0 && elsewhere === undefined
          ? [['its text', describeStanding(known, place, world)] as const]
          : []),
        ...(settings ? describeSettings(settings, known) : []),
        ...(messages.length > 0 ? [['messages of ctx', describeMessages(messages, broken.length)] as const] : []),
      ],
      findings: [
        ...(place && elsewhere !== undefined ? outside(place, elsewhere) : uninitialised(place, missing)),
        ...(place && missing.length === 0 && elsewhere === undefined ? foreign(known, place, world) : []),
        ...waiting(known),
        ...brokenSettings(known, world),
        ...broken,
        ...strayMessages(known, world),
        ...(place ? brokenReminders(place, world) : []),
        ...cutTexts(known, world),
      ],
    },
  ];
}

/** Where `.context` leads, if that is out of the project. */
function linkedTo({ root, workspace }: ContextPlace): string | undefined {
  const target = canonicalPath(nodeFiles, contextPath(root));
  return contains(canonicalPath(nodeFiles, workspace), target) ? undefined : target;
}

function outside({ root }: ContextPlace, target: string): Finding[] {
  return [
    {
      level: 'attention',
      what: `${contextPath(root)} is a link to ${target}, outside the project.`,
      why: 'No rule reads it and no command writes there: a repository could have such a link lead anywhere.',
      next: `put a directory in its place, then fairlead context init`,
    },
  ];
}

function missingIn({ root }: ContextPlace): readonly string[] {
  return REQUIRED_FILES.filter((name) => nodeFiles.stat(contextPath(root, name))?.kind !== 'file');
}

function describeStanding({ layers }: KnownRules, place: ContextPlace, world: CliWorld): string {
  if (isAccepted(layers.project)) return 'given to the agent: the project is trusted';
  return isMadeHere(world, place) ? 'given to the agent: made here' : 'not given to the agent';
}

function describeSettings({ state, keys }: LayerFile, { layers }: KnownRules): (readonly [string, string])[] {
  const value = !readsBorrowed(settingsOf(layers), PACK)
    ? `not read: packs.${PACK}.read_ctxrc is false`
    : state === 'skipped'
      ? 'not trusted'
      : keys
        ? keys.read.join(', ') || 'sets nothing that counts here'
        : 'cannot be read';
  const ignored = state === 'ok' ? (keys?.ignored ?? []) : [];
  return [[SETTINGS, value], ...(ignored.length > 0 ? [['left aside', ignored.join(', ')] as const] : [])];
}

function describeMessages(files: readonly LayerFile[], broken: number): string {
  const skipped = files.filter(({ state }) => state === 'skipped').length;
  const parts = [skipped > 0 ? `${skipped} not trusted` : '', broken > 0 ? `${broken} cannot be used` : ''];
  return [String(files.length), ...parts.filter((part) => part !== '')].join(', ');
}

function uninitialised(place: ContextPlace | undefined, missing: readonly string[]): Finding[] {
  if (place && missing.length === 0) return [];
  const inTheWay = missing.filter((name) => place && nodeFiles.lstat(contextPath(place.root, name)) !== undefined);
  if (place && inTheWay.length > 0)
    return [
      {
        level: 'attention',
        what: `In ${contextPath(place.root)} ${inTheWay.join(', ')} ${inTheWay.length === 1 ? 'is no file' : 'are no files'}.`,
        why: 'Without these files nearly all rules of the pack are silent, and nothing is made where the name is taken.',
        next: 'move that away, then fairlead context init',
      },
    ];
  return [
    {
      level: 'note',
      what: place ? `${contextPath(place.root)} lacks ${missing.join(', ')}.` : `There is no ${CONTEXT_DIR} here.`,
      why: 'Without these files nearly all rules of the pack are silent.',
      next: 'fairlead context init makes what is missing and leaves the rest as it is',
    },
  ];
}

function foreign({ layers }: KnownRules, place: ContextPlace, world: CliWorld): Finding[] {
  if (isAccepted(layers.project) || isMadeHere(world, place)) return [];
  return [
    {
      level: 'note',
      what: `${contextPath(place.root)} came with the project, and nobody has accepted it here.`,
      why: 'Its text and its reminders are not put before the agent.',
      next: `fairlead trust ${place.root}`,
    },
  ];
}

function waiting({ root, layers }: KnownRules): Finding[] {
  const names = BORROWINGS.filter((each) => each.pack === PACK).flatMap((each) => waitingFiles(layers, each));
  if (names.length === 0) return [];
  const isChanged = layers.project.trust?.context === 'changed';
  return [
    {
      level: 'attention',
      what: `${counted(names.length, 'file')} of ctx ${isChanged ? 'not what was trusted' : 'not trusted'}: ${listed(names)}.`,
      why: 'Settings and messages of a project have no effect until a person accepts the exact content.',
      next: `fairlead trust ${root}`,
    },
  ];
}

function brokenSettings({ root, layers }: KnownRules, world: CliWorld): Finding[] {
  const path = join(root, SETTINGS);
  if (!readsBorrowed(settingsOf(layers), PACK)) return [];
  const isUsed = layers.project.borrowed?.packs?.[PACK] !== undefined;
  return layers.project.problems
    .filter(({ file }) => file === path)
    .map(({ line, message }) => ({
      level: 'attention',
      what: `${shown(world, path)}:${line}: ${message}`,
      why: isUsed ? 'That setting is left out; the others count.' : 'None of its settings has any effect.',
      next: `edit ${shown(world, path)}, then fairlead trust`,
    }));
}

function brokenMessages({ root, rules, layers }: KnownRules, world: CliWorld): Finding[] {
  const unfit = rules
    .flatMap((rule) => messagesOf(rule, layers))
    .flatMap(({ source, status, file = '', problem = '' }) =>
      source === pack.borrows.program && status === 'broken' ? [{ file, problem }] : [],
    );
  const others = layers.project.problems
    .filter(({ file }) => isBorrowedPath(root, file) && file !== join(root, SETTINGS))
    .filter(({ file }) => !unfit.some((one) => one.file === file))
    .map(({ file, message }) => ({ file, problem: message }));
  return [...unfit, ...others].map(({ file, problem }) => ({
    level: 'note',
    what: `${shown(world, file)}: ${problem}`,
    why: 'The rule says its own words instead.',
    next: `edit ${shown(world, file)}, then fairlead trust`,
  }));
}

/** Overrides for hooks of ctx that have no counterpart here. */
function strayMessages({ rules, layers }: KnownRules, world: CliWorld): Finding[] {
  const stray = orphansOf(rules, layers).filter(({ source }) => source === pack.borrows.program);
  if (stray.length === 0) return [];
  return [
    {
      level: 'note',
      what: `${counted(stray.length, 'message')} of ctx without a rule: ${listed(stray.map(({ file }) => shown(world, file)))}.`,
      why: 'No rule here says such a thing, so the words are never used.',
      next: 'fairlead message list --rule <rule> names the messages there are',
    },
  ];
}

function brokenReminders({ root }: ContextPlace, world: CliWorld): Finding[] {
  const path = contextPath(root, REMINDERS_FILE);
  if (!nodeFiles.exists(path)) return [];
  const text = nodeFiles.readText(path);
  if (text !== undefined && parseStore(text) !== undefined) return [];
  return [
    {
      level: 'attention',
      what: `${shown(world, path)} cannot be read as a list of reminders.`,
      why: 'No reminder is shown, and none can be added, until it is mended.',
      next: `edit ${shown(world, path)}: it is a JSON array of {id, message, created, after}`,
    },
  ];
}

/** Texts of the last days that were longer than anybody reads. */
function cutTexts({ root }: KnownRules, world: CliWorld): Finding[] {
  const { memory, clock } = world.engine();
  if (!memory.db) return [];
  const cut = readRelays(memory.db, { since: clock.now() - WEEK_MS }).filter(
    ({ rule, root: at, variables }) => at === root && rule.startsWith(`${PACK}/`) && variables?.['cut'] !== undefined,
  );
  const names = [...new Set(cut.map(({ rule, variant }) => `${rule} ${variant}`))];
  return names.map((name) => ({
    level: 'note',
    what: `The text of ${name} was cut: it has more than 700 characters with everything filled in.`,
    why: 'Longer texts are not read. Its last lines, the next step among them, were left out.',
    next: `fairlead message edit ${name}`,
  }));
}

function listed(names: readonly string[]): string {
  return (
    names.slice(0, MAX_SHOWN).join(', ') + (names.length > MAX_SHOWN ? `, and ${names.length - MAX_SHOWN} more` : '')
  );
}
