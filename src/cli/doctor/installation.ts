import { DISABLED } from '../../adapters/forwarded.ts';
import { nodeFiles } from '../../platform/files.ts';
import { VERSION } from '../../platform/build.ts';
import { join } from '../../platform/paths.ts';
import type { Database } from '../../platform/database.ts';
import { parseCellId } from '../../state/cells.ts';
import { isHeld, readSwitch } from '../../state/switch.ts';
import { launchDir, readLaunched } from '../../transport/launch-place.ts';
import type { Launched } from '../../transport/launch-place.ts';
import type { CliWorld } from '../command.ts';
import { findClient } from '../install/client.ts';
import { ownCopy } from '../install/settle-place.ts';
import { counted, formatBytes, formatSpan, formatTime } from '../table.ts';
import type { Finding, Section } from './report.ts';

export function checkInstallation(world: CliWorld): Section {
  const findings: Finding[] = [];
  const now = world.engine().clock.now();
  const off = readSwitch(nodeFiles, world.paths.state, now);
  if (off && isHeld(nodeFiles, world.paths.state, now))
    findings.push({
      level: 'note',
      what: 'The engine is switched off, and a policy holds it on.',
      why: 'Events are answered. The switch counts while the glass of the policy is broken.',
      next: 'fairlead on',
    });
  else if (off) {
    const until = off.until === undefined ? '' : `, for another ${formatSpan(off.until - now)}`;
    findings.push({
      level: 'attention',
      what: `The engine is switched off${off.since > 0 ? ` since ${formatTime(off.since)}` : ''}${until}.`,
      why: 'Every event gets an empty answer; no rule advises or protects.',
      next: 'fairlead on',
    });
  }
  if (world.env[DISABLED] === '1') {
    findings.push({
      level: 'attention',
      what: `${DISABLED}=1 is set in this shell.`,
      why: 'Agents started from here get an empty answer to every event.',
      next: `unset ${DISABLED}`,
    });
  }
  const launched = readLaunched(nodeFiles, launchDir(world.paths.state));
  if (launched) findings.push(...otherCopy(launched));
  return {
    title: 'Installation',
    facts: [
      ['version', VERSION],
      ['node', process.version],
      ['client', clientOf(world)],
      ...(launched ? [['hooks start', `${versionOf(launched)} in ${launched.root}`] as const] : []),
      ['config', world.paths.config],
      ['state', world.paths.state],
      ['engine', off ? 'off' : 'on'],
    ],
    findings,
  };
}

/** A verb of the copy that hooks start brings them along after an update; another one leaves them alone. */
function otherCopy(launched: Launched): Finding[] {
  const { root, stamp } = ownCopy();
  if (launched.root === root && launched.stamp === stamp) return [];
  const isSame = launched.root === root;
  return [
    {
      level: 'note',
      what: isSame
        ? `Hooks still start version ${versionOf(launched)} of this copy.`
        : `Hooks start another copy than this command: ${versionOf(launched)} in ${launched.root}.`,
      why: isSame ? 'What they start could not be written.' : 'Its rules and its version answer agents.',
      next: 'fairlead init, to let them start this one',
    },
  ];
}

const versionOf = ({ stamp }: Launched): string => stamp.split('+', 1)[0] ?? stamp;

/** What `init` would let agents start, and a hint where that could be better. */
function clientOf({ paths }: CliWorld): string {
  const client = findClient({ root: ownCopy().root, state: paths.state });
  if (client.kind === 'native')
    return `native, ${client.isStatic === true ? 'statically' : 'dynamically'} linked, ${client.path}`;
  return `Node, because ${client.why}; with a C compiler \`fairlead init\` builds a faster one`;
}

export function checkDatabase(world: CliWorld): Section {
  const { memory, failures } = world.engine();
  const path = join(world.paths.state, 'state.db');
  const findings: Finding[] = [];
  const aside = nodeFiles
    .list(world.paths.state)
    .filter((name) => name.startsWith('state.db.damaged-') && !/-(wal|shm)$/.test(name));
  if (aside.length > 0) {
    findings.push({
      level: 'attention',
      what: `A damaged database was set aside: ${aside.join(', ')}.`,
      why: 'The engine went on with a new one, so counters, markers and the ledger from before are not in use.',
      next: `check the disk; when the old file is of no use: rm ${aside.map((name) => `'${join(world.paths.state, name)}'*`).join(' ')}`,
    });
  }
  if (!memory.db) {
    findings.push({
      level: 'attention',
      what: `${path} cannot be opened${reasonOf(failures.read().at(-1)?.message)}.`,
      why: 'Each hook call starts without memory: throttles, counters and the ledger do not work.',
      next: `see that ${world.paths.state} belongs to you, can be written, and has space left`,
    });
    return { title: 'Database', facts: [['file', path]], findings };
  }
  const answers = memory.db.prepare('PRAGMA quick_check(5)').all() as { quick_check: string }[];
  const sound = answers.length === 1 && answers[0]?.quick_check === 'ok';
  if (!sound) {
    findings.push({
      level: 'attention',
      what: `The database is damaged: ${answers.map(({ quick_check: answer }) => answer).join('; ')}.`,
      why: 'Reading it may fail in the middle of a session; the engine would then set it aside and start a new one.',
      next: `stop your agents, then move ${path} away`,
    });
  }
  if (sound) findings.push(...damagedCells(memory.db));
  const size = ['', '-wal', '-shm'].reduce((sum, suffix) => sum + (nodeFiles.stat(path + suffix)?.size ?? 0), 0);
  return {
    title: 'Database',
    facts: [
      ['file', path],
      ['size', formatBytes(size)],
      ['integrity', sound ? 'ok' : 'damaged'],
    ],
    findings,
  };
}

function damagedCells(db: Database): Finding[] {
  const found = db.prepare('SELECT id FROM cells WHERE NOT json_valid(value)').all() as { id: string }[];
  if (found.length === 0) return [];
  const names = [...new Set(found.map(({ id }) => parseCellId(id).name))];
  return [
    {
      level: 'note',
      what: `${counted(found.length, 'remembered value')} cannot be read: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}.`,
      why: 'Rules take such a value for one that was never set, and write it anew when they have something to remember.',
      next: 'check the disk if this comes back; fairlead state list shows what is remembered',
    },
  ];
}

function reasonOf(message: string | undefined): string {
  return message === undefined ? '' : `: ${message}`;
}
