import { STAMP } from '../../platform/build.ts';
import { nodeFiles } from '../../platform/files.ts';
import { dirname, join } from '../../platform/paths.ts';
import { makePrivate } from '../../platform/private-dir.ts';
import { shortDir, socketOf } from '../../transport/meeting-place.ts';
import { isNewer } from '../../transport/newer-build.ts';
import { daemonPid } from '../../transport/start-daemon.ts';
import type { DaemonStatus } from '../../transport/status.ts';
import { readUnanswered } from '../../transport/unanswered-count.ts';
import type { CliWorld } from '../command.ts';
import { daemonFacts } from '../commands/daemon.ts';
import { counted, formatSpan } from '../table.ts';
import type { Finding, Section } from './report.ts';

const DAY_MS = 86_400_000;

export function checkDaemon(status: DaemonStatus | undefined, world: CliWorld): Section {
  const now = world.engine().clock.now();
  const { run, state } = world.paths;
  const places = [run, dirname(socketOf(world.paths))];
  const unusable = nodeFiles.exists(state) ? places.find((dir) => !makePrivate(dir)) : undefined;
  const silent = status ? undefined : daemonPid(nodeFiles, run, state);
  const findings: Finding[] = [];
  const log = nodeFiles.readText(join(run, 'daemon.log'), 2_000)?.trim();
  if (silent !== undefined)
    findings.push({
      level: 'attention',
      what: `Process ${silent} does not answer.`,
      why: 'Every event waits 3 seconds for it and is then answered by a process of its own. One that stays silent is replaced by the next event.',
      next: 'fairlead daemon start, which ends it after some seconds',
    });
  else if (!status && unusable !== undefined)
    findings.push({
      level: 'attention',
      what: `${unusable} cannot be used.`,
      why: 'The engine keeps its lock and socket there: the directory must be writable, belong to you, and be no link. Until then each event starts a process of its own.',
      next: `chown and chmod ${unusable}, or remove what is in its place`,
    });
  else if (!status && log)
    findings.push({
      level: 'attention',
      what: 'The last start of the engine failed.',
      why: log,
      next: 'fairlead daemon run',
    });
  if (status && isNewer(STAMP, status.stamp))
    findings.push({
      level: 'note',
      what: `It is older than this program (${status.stamp}).`,
      why: 'The next event of this version replaces it.',
      next: 'fairlead daemon start',
    });
  if (status?.http?.problem !== undefined)
    findings.push({
      level: 'attention',
      what: 'Its HTTP transport is closed.',
      why: status.http.problem,
      next: 'fairlead init, wherever HTTP is used',
    });
  const { empty, denied, asked, lastAt, paths } = readUnanswered(nodeFiles, [run, shortDir(state)]);
  if (empty + denied + asked > 0 && now - lastAt < DAY_MS)
    findings.push({
      level: 'attention',
      what: `${counted(empty + denied + asked, 'event')} found no engine in time: ${empty} got an empty answer, ${denied} were denied, ${asked} were put to the person.`,
      why: `Last ${formatSpan(now - lastAt)} ago. Many processes at once waited for an engine that did not start.`,
      next: `fairlead daemon start; then delete ${paths.join(' and ')} to count anew`,
    });
  return {
    title: 'Engine',
    facts: status
      ? daemonFacts(status, now)
      : [['process', silent === undefined ? 'none; the next event starts it' : `${silent}, silent`]],
    findings,
  };
}
