import { utimesSync } from 'node:fs';
import { REVIEWS } from '../../command-cells.ts';
import { backupMarkers } from '../../backup.ts';
import { contextPath, MAP_FILE } from '../../files.ts';
import { parseMapTracking } from '../../map-tracking.ts';
import { setMembers } from '../../../../text/json-text.ts';
import { canonicalPath, nodeFiles } from '../../../../platform/files.ts';
import { contains, dirname, relative, resolve } from '../../../../platform/paths.ts';
import { pruneSessions } from '../../../../state/prune.ts';
import { usualDays } from '../../../../workspace/config/settings.ts';
import { settingsOf } from '../../../../workspace/policy.ts';
import { changeState } from '../../../../cli/change-state.ts';
import { CommandError, JSON_OPTION, printJson, UsageError } from '../../../../cli/command.ts';
import type { Command, VerbFile } from '../../../../cli/command.ts';
import { contextOptions, placeForContext, requireContext, workspaceCell } from '../context-place.ts';
import { alone, editContextFile } from '../edit-context.ts';
import { rootAt, shown } from '../../../../cli/known-rules.ts';
import { counted, printableLine } from '../../../../cli/table.ts';

export const prune: Command = {
  summary: 'forget sessions that were not heard of for some days',
  details:
    'Deletes the state cells and stats logs of sessions that were last touched before that, in every project. The engine does so by itself: when it starts, once a day, and whenever a session is given its context.',
  options: { days: { type: 'string', value: 'N', help: 'at least 1; what is set, or 7, by default' }, ...JSON_OPTION },
  async run(input, world) {
    const { store, clock, workspaces } = world.engine();
    const given = input.text('days');
    const set = () => workspaces.layersAt(rootAt(world)).then((layers) => usualDays(settingsOf(layers)));
    const days = given === undefined ? await set() : /^\d+$/.test(given) ? Number(given) : 0;
    if (given !== undefined && days < 1) throw new UsageError(`--days wants a whole number from 1 on, not "${given}"`);
    const removed = pruneSessions({ store, files: nodeFiles, state: world.paths.state }, days, clock.now());
    if (input.has('json')) return printJson(world, { days, removed });
    const what = `${counted(removed.cells, 'state cell')} and ${counted(removed.logs, 'stats log')}`;
    world.out(`Removed ${what} of sessions untouched for ${counted(days, 'day')}.\n`);
  },
};

export const map: Command = {
  summary: 'say that the map of the code was brought up to date',
  usage: 'done',
  details: `Writes the time into ${MAP_FILE}; everything else in it stays.`,
  args: [1, 1],
  options: JSON_OPTION,
  async run(input, world) {
    if (input.args[0] !== 'done') throw new UsageError(`expected done, not "${input.args[0]}"`);
    const place = requireContext(world);
    const path = contextPath(place.root, MAP_FILE);
    const lastRun = new Date(world.engine().clock.now()).toISOString();
    const optedOut = await alone(world, place, () => {
      let isOut = false;
      editContextFile(place, MAP_FILE, (before) => {
        const start = before === undefined || before.trim() === '' ? '{\n  "opted_out": false\n}\n' : before;
        const after = setMembers(start, { last_run: lastRun });
        if (after === undefined) throw new CommandError(`${path} is not a JSON object; mend it first`);
        isOut = parseMapTracking(after)?.optedOut === true;
        return after;
      });
      return isOut;
    });
    if (input.has('json')) return printJson(world, { lastRun, optedOut });
    const out = optedOut ? ' It says that this project opted out, so its age is not looked at.' : '';
    world.out(`${shown(world, path)} says that the map was refreshed now.${out}\n`);
  },
};

export const reviewed: Command = {
  summary: 'say that the facts in a file were looked at',
  usage: '<path>',
  details: 'For files of freshness.files: their age is counted from here on.',
  args: [1, 1],
  options: JSON_OPTION,
  run(input, world) {
    const place = placeForContext(world);
    const given = input.args[0] ?? '';
    const path = canonicalPath(nodeFiles, resolve(world.cwd, given));
    if (nodeFiles.stat(path)?.kind !== 'file') throw new CommandError(`no file ${given}`);
    if (!contains(place.root, path)) throw new CommandError(`${given} lies outside ${place.root}`);
    const name = relative(place.root, path).replaceAll('\\', '/');
    const at = changeState(world, (draft) => {
      workspaceCell(REVIEWS, draft, place).set({ at: draft.now }, name);
      return draft.now;
    });
    if (input.has('json')) return printJson(world, { path: name, at });
    world.out(`${printableLine(name)} counts as reviewed from now on.\n`);
  },
};

export const backupDone: Command = {
  summary: 'say that a backup was made',
  details: 'Touches the marker whose age is looked at: backup.marker, or a file in your state directory.',
  options: JSON_OPTION,
  async run(input, world) {
    const backup = (await contextOptions(world, placeForContext(world)))['backup'] as
      | { readonly marker?: unknown }
      | undefined;
    const [path] = backupMarkers(world.userHome, backup?.marker);
    nodeFiles.makeDir(dirname(path), 0o700);
    const now = world.engine().clock.now();
    // Its time is all that counts: whatever a file of that name holds stays.
    if (!nodeFiles.create(path, '')) utimesSync(path, now / 1_000, now / 1_000);
    if (input.has('json')) return printJson(world, { marker: path, at: now });
    world.out(`${shown(world, path)} says that a backup was made now.\n`);
  },
};

export default {
  order: 240,
  verbs: {
    'context map': map,
    'context reviewed': reviewed,
    'context backup-done': backupDone,
    'context prune': prune,
  },
} satisfies VerbFile;
