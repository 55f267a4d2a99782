import { isAbsolute, join } from 'node:path';
import { defineRule, marker, own } from '../../engine/rule.ts';
import type { RuleWorkspace } from '../../engine/rule.ts';
import { escapedPath } from '../../text/quoted.ts';
import { backupMarkers } from './backup.ts';
import { LOOKED, lookAgain } from './daily.ts';
import { CONTEXT_DIR } from './files.ts';
import { nudge } from './nudge.ts';
import { readGroup } from './options.ts';
import { contextRoot } from './place.ts';

const DEFAULTS = { mount_path: '', marker: '', max_age_days: 2, command: '' };
const SHARES = ['FAIRLEAD_BACKUP_SMB_URL', 'CTX_BACKUP_SMB_URL'];
const DAY_MS = 86_400_000;

export default defineRule({
  id: 'context/check-backup-age',
  pack: 'context',
  summary: 'Once a day, says when the context has not been backed up lately or the place for it is not mounted.',
  on: [{ event: 'prompt.submit' }],
  at: 'cwd',
  needs: { entry: CONTEXT_DIR, human: true, main: true },
  optIn: true,
  nudge: 'deferrable',
  priority: 45,
  // Facts keep a limit of their own.
  budgetMs: 1_000,
  state: { today: marker('context.day.backup', { scope: 'day' }), looked: LOOKED },
  options: { backup: DEFAULTS },
  messages: { warning: 'Backups of the context need a look:\n{warnings}\nNext: {next}' },
  expect: { tool: 'shell', words: ['context backup-done'], within: 40, until: 'session' },
  examples: { pass: [{ prompt: 'Go on.' }] },
  check(_event, context) {
    const root = contextRoot(context);
    if (root === undefined) return context.pass('the context is not initialised');
    if (context.state.today.isSet()) return context.pass('said today');
    const { facts, files, workspace, now } = context;
    const options = readGroup(context.options.backup, DEFAULTS);
    const markers = backupMarkers(workspace.home, options.marker);
    const look = lookAgain(context, 'backup', markers);
    if (!look.isDue) return context.pass('nothing has changed since the last look');

    const share = shareOf(options.mount_path, workspace);
    const judge = async () => {
      const isMounted = share === undefined || (await facts.isMounted(share.place));
      const times = markers.flatMap((path) => files.stat(path)?.mtimeMs ?? []);
      const warnings = [
        ...(isMounted === false ? [`${share?.name} is not mounted`] : []),
        ...ageOf(times, now, options.max_age_days),
      ];
      if (warnings.length === 0) {
        if (isMounted === undefined) return context.pass('the mounts are not known yet');
        look.foundNothing();
        return context.pass('the backup is recent');
      }
      context.state.today.first();
      const next = own(
        options.command === '' ? 'run the backup, then `fairlead context backup-done`' : options.command,
      );
      return nudge(context, root, {
        variant: 'warning',
        values: { warnings: own(warnings.join('\n')), next },
        relayed: { warnings: warnings.length },
      });
    };
    return judge();
  },
});

function ageOf(times: readonly number[], now: number, maxDays: number): readonly string[] {
  if (times.length === 0) return ['No backup has been recorded so far'];
  const age = now - Math.max(...times);
  if (age < maxDays * DAY_MS) return [];
  const days = Math.floor(age / DAY_MS);
  return [`The last backup is ${days} ${days === 1 ? 'day' : 'days'} old`];
}

interface Share {
  readonly place: string;
  /** For people: the address may hold a password. */
  readonly name: string;
}

function shareOf(mountPath: string, workspace: RuleWorkspace): Share | undefined {
  const place = mountPath.startsWith('~/') ? join(workspace.home, mountPath.slice(2)) : mountPath;
  if (isAbsolute(place)) return { place, name: escapedPath(place, undefined) };
  const url = SHARES.map((name) => workspace.variable(name)).find((value) => value !== undefined && value !== '');
  const [, name] = /^smb:\/\/(?:[^/]*@)?([^/@]+\/[^/]+)/i.exec(url ?? '') ?? [];
  return url === undefined || name === undefined
    ? undefined
    : { place: url, name: `The share ${escapedPath(name, undefined)}` };
}
