import { HOME_OPTIONS, UsageError } from '../command.ts';
import type { Command, VerbFile } from '../command.ts';

/** The launcher answers events by itself, without this table; what is left for it is the help text. */
export const hook: Command = {
  summary: 'answer one event on stdin (what the agent calls)',
  usage: '--agent NAME',
  details: `Reads one event of the agent from standard input, writes the reply to standard output and ends with exit code 0.
An empty reply means that no rule has anything to say. Exit code 1 means that nobody could answer, as when no such agent is known. \`fairlead init\` writes the entries
that call it, with the directories of the installation as arguments; the environment of the agent does not move them.`,
  options: {
    agent: { type: 'string', value: 'NAME', help: 'whose event it is' },
    event: { type: 'string', value: 'NAME', help: 'the event, for payloads that do not name it' },
    direct: { type: 'boolean', help: 'handle it in this process' },
    ...HOME_OPTIONS,
  },
  run() {
    throw new UsageError('events are answered by `bin/fairlead hook`, not by this program');
  },
};

export default { order: 360, verbs: { hook } } satisfies VerbFile;
