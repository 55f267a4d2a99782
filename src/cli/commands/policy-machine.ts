import { readOutbox } from '../../ledger/outbox.ts';
import { nodeFiles } from '../../platform/files.ts';
import { keyPath, readMachineKey, replaceMachineKey } from '../../telemetry/record/machine-key.ts';
import { messageOf } from '../../text/message-of.ts';
import { CommandError, JSON_OPTION, printJson } from '../command.ts';
import type { CliWorld, Command, VerbFile } from '../command.ts';
import { databaseOf } from '../database.ts';

const machine: Command = {
  summary: 'how this machine signs its record, and how far that goes',
  details: `Prints the machine's id, its public key, and the number and the hash of the last record that arrived at the receiver. The line is
what \`fairlead policy audit --keys\` takes: an auditor who has it from here, and not from the export, finds a key that somebody put in its
place, and a tail that was cut off. The secret key never leaves the state directory.`,
  options: {
    'new-key': {
      type: 'boolean',
      help: 'sign with a new key from now on; the old one signs the new one and is gone',
      gated: 'whoever has pinned the key of this machine has to hear of it',
    },
    ...JSON_OPTION,
  },
  run(input, world) {
    const { machine: name, path, sequence, head } = standing(world);
    if (input.has('new-key')) attempt(() => replaceMachineKey(path, nodeFiles));
    const key = readMachineKey(path, nodeFiles);
    if (!key) throw new CommandError('this machine has signed nothing yet; it makes its key with the first record');
    if ('problem' in key) throw new CommandError(key.problem);
    const at = head === '' ? undefined : `${sequence}:${head}`;
    if (input.has('json')) return printJson(world, { machine: name, key: key.public, sequence, head });
    world.out(`${[name, key.public, at].filter((word) => word !== undefined).join(' ')}\n`);
  },
};

function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    throw new CommandError(messageOf(error));
  }
}

function standing(world: CliWorld) {
  const state = readOutbox(databaseOf(world));
  if (!state)
    throw new CommandError(
      'nothing of this machine is sent to a receiver; telemetry.otlp in your config.yaml names one',
    );
  const { machine: name, chain } = state;
  return { machine: name, path: keyPath(world.paths.state, name), sequence: chain.sequence, head: chain.head };
}

export default { order: 216, verbs: { 'policy machine': machine } } satisfies VerbFile;
