import { nodeFiles } from '../../platform/files.ts';
import { resolve } from '../../platform/paths.ts';
import { createAudit } from '../../telemetry/audit/audit.ts';
import type { Audit, AuditReport } from '../../telemetry/audit/audit.ts';
import { knownHead, readKnown } from '../../telemetry/audit/known-machines.ts';
import type { KnownMachine } from '../../telemetry/audit/known-machines.ts';
import type { MachineReport } from '../../telemetry/audit/report.ts';
import { readExport } from '../../telemetry/audit/read-export.ts';
import { counted } from '../../text/counted.ts';
import { messageOf } from '../../text/message-of.ts';
import { CommandError, JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { formatTime, printableLine } from '../table.ts';

const [DAMAGED, UNREADABLE] = [1, 2];
/** How often it says how far it is. */
const PROGRESS_RECORDS = 20_000;
const MOST_SHOWN = 50;

const audit: Command = {
  summary: 'check an export of the record for what was changed in it',
  usage: '<file>…',
  details: `Reads what a collector has written of the records that machines sent: OTLP as lines of JSON or as protobuf, logs and metrics, also in gzip.
Each record of a machine has a number, hangs on the one before it, and is signed by the machine. It finds records that were
removed, changed, moved or made up, a tail that was cut off, and two histories under one name. Batches in another order and
batches that came twice are no damage.

--keys is a file with lines of \`MACHINE KEY\`, or \`MACHINE KEY SEQUENCE:HEAD\`, as \`fairlead policy machine\` prints them. Without it
a machine's key is believed at first sight. With a head, records up to it may be missing, and the rest has to follow on it.

Exit code 0 where all is as the machines sent it, 1 where something is not, 2 where a file cannot be read.`,
  args: [1, 1_000],
  options: {
    keys: { type: 'string', value: 'FILE', help: 'the keys of the machines, and how far their records went' },
    machine: { type: 'string', value: 'ID', help: 'look at this machine alone' },
    head: {
      type: 'string',
      value: 'SEQUENCE:HEAD',
      help: 'how far the record of that machine goes, as it says itself',
    },
    added: {
      type: 'string',
      multiple: true,
      value: 'NAME',
      help: 'an attribute that your own collector adds to records; may be given again',
    },
    ...JSON_OPTION,
  },
  check: (input) => void headIn(input),
  async run(input, world) {
    const machine = input.text('machine');
    const known = knownIn(input, world);
    const looking = createAudit({
      known: known.filter((one) => machine === undefined || one.machine === machine),
      hasKeys: input.text('keys') !== undefined,
      added: input.list('added'),
      ...(machine !== undefined && { machine }),
    });
    const head = headIn(input);
    if (head && machine !== undefined) looking.claim(machine, head);
    for (const file of input.args) await readFile(resolve(world.cwd, file), looking, world);
    const report = await looking.finish();
    if (report.records === 0 && report.findings.length === 0)
      throw new CommandError('there is no record of Fairlead in these files', UNREADABLE);
    if (machine !== undefined && report.machines.length === 0)
      throw new CommandError(`there is no record of ${machine} in these files`, UNREADABLE);
    if (input.has('json')) printJson(world, { fine: report.findings.length === 0, ...report });
    else show(report, world);
    return report.findings.length === 0 ? 0 : DAMAGED;
  },
};

function headIn(input: Input) {
  const text = input.text('head');
  if (text === undefined) return undefined;
  if (input.text('machine') === undefined) throw new UsageError('--head is of one machine; --machine says which');
  const head = knownHead(text);
  if (!head) throw new UsageError(`"${text}" is no SEQUENCE:HEAD, as \`fairlead policy machine\` prints it`);
  return head;
}

function knownIn(input: Input, world: CliWorld): readonly KnownMachine[] {
  const given = input.text('keys');
  if (given === undefined) return [];
  const file = resolve(world.cwd, given);
  const text = nodeFiles.readText(file);
  if (text === undefined) throw new CommandError(`${file} cannot be read`, UNREADABLE);
  try {
    return readKnown(text);
  } catch (error) {
    throw new CommandError(`${file}: ${messageOf(error)}`, UNREADABLE);
  }
}

async function readFile(file: string, looking: Audit, world: CliWorld): Promise<void> {
  let [pieces, told] = [0, Math.floor(looking.records() / PROGRESS_RECORDS)];
  let problem: string | undefined;
  try {
    for await (const piece of readExport(file)) {
      const where = `${file}:${piece.at}`;
      if (piece.exported) {
        pieces += 1;
        await looking.take(piece.exported, where);
      } else {
        problem ??= piece.problem;
        looking.unreadable(where, piece.problem ?? 'cannot be read');
      }
      const many = Math.floor(looking.records() / PROGRESS_RECORDS);
      if (many > told) world.err(`${looking.records()} records so far, in ${where}\n`);
      told = many;
    }
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${messageOf(error)}`, UNREADABLE);
  }
  if (pieces === 0 && problem !== undefined)
    throw new CommandError(`${file} ${problem}, and nothing else is in it`, UNREADABLE);
}

function show({ records, machines, findings }: AuditReport, world: CliWorld): void {
  world.out(`${counted(records, 'record')} of ${counted(machines.length, 'machine')}\n`);
  for (const machine of machines) {
    world.out(`\n${printableLine(machine.machine)}: ${spanOf(machine)}\n`);
    for (const note of machine.notes) world.out(`  ${printableLine(note)}\n`);
  }
  if (findings.length === 0) return world.out('\nAll of it is as the machines sent it.\n');
  world.out(
    `\n${counted(findings.length, 'thing')} not as the machines sent ${findings.length === 1 ? 'it' : 'them'}:\n`,
  );
  for (const { machine, what, means } of findings.slice(0, MOST_SHOWN)) {
    world.out(`\n${machine === undefined ? '' : `${printableLine(machine)}: `}${printableLine(what)}\n  ${means}\n`);
  }
  if (findings.length > MOST_SHOWN) world.out(`\nand ${findings.length - MOST_SHOWN} more; --json has all of them.\n`);
}

function spanOf({ first, last, head, lastAt, lost, trust }: MachineReport): string {
  if (first === undefined || last === undefined) return 'nothing';
  const key =
    trust === 'pinned' ? 'its key was given' : trust === 'none' ? 'its key was not given' : 'its key was not pinned';
  const losses = lost > 0 ? `, ${lost} lost` : '';
  return `${first} to ${last}${losses}, last heard of ${formatTime(lastAt ?? 0)}, ${key}\n  head ${last}:${head}`;
}

export default { order: 214, verbs: { 'policy audit': audit } } satisfies VerbFile;
