import { OUTCOMES } from '../../ledger/read.ts';
import { UsageError } from '../command.ts';
import type { Command, VerbFile } from '../command.ts';
import { decisionLog } from '../decision-log.ts';
import { DEFAULT_LAST, showListing } from '../listing.ts';
import { relayLog } from '../relay-log.ts';

const KINDS = ['decisions', 'relay'];

export const log: Command = {
  summary: 'what the agent did, and what was decided',
  details: `One line per event of this project, newest last: when, where, what the agent did, what was decided and by which rule.
\`fairlead explain ID\` tells why. The decision is the action, or note or warn when the call passed and something was said; * marks
a copy of an event that was answered before. A line under an event is what a rule that said nothing remarked on it, or what a
rule in shadow would have said, or what became of the decision where that is not what it says: a person who was asked,
a reply that came late or reached nobody. A terminal cuts what it is too narrow for; a pipe gets everything.
--kind relay shows what rules have reported to those who listen outside the session.

--json prints one object per line: \`at\` (milliseconds since 1970), \`id\`, \`session\`, \`seq\`, \`agent\`, \`root\`, \`event\`, \`tool\`,
\`what\`, \`outcome\` (the decision as shown), \`action\`, \`rules\` (with commas between), \`remarks\` where there are any, \`fate\`
of what was sent to the agent (\`open\` while that is not known), \`policy\` where one had a say, and what it cost:
\`tier\`, \`chars\`, \`replyBytes\`, \`micros\`.`,
  options: {
    follow: { type: 'boolean', short: 'f', help: 'go on with new events until interrupted' },
    last: { type: 'string', short: 'n', value: 'N', help: `the newest N, or all (default ${DEFAULT_LAST})` },
    all: { type: 'boolean', short: 'a', help: 'every project' },
    denied: { type: 'boolean', help: 'only what was denied' },
    grep: { type: 'string', short: 'g', value: 'TEXT', help: 'only lines that hold this text, in capitals or not' },
    rule: { type: 'string', value: 'ID', help: 'events in which this rule spoke, decided, failed or left a remark' },
    session: {
      type: 'string',
      value: 'ID',
      bare: 'last',
      help: 'one session: the beginning of its id, or the last one of this project',
    },
    event: { type: 'string', value: 'NAME', help: 'one kind of event, such as tool.before' },
    since: { type: 'string', value: 'SPAN', help: 'not older than this: 30m, 4h, 2d' },
    action: { type: 'string', multiple: true, value: 'NAME', help: `${OUTCOMES.join(', ')}; may be given again` },
    kind: { type: 'string', value: 'KIND', help: `${KINDS.join(' or ')} (default ${KINDS[0]})` },
    json: { type: 'boolean', help: 'print one JSON object per line' },
  },
  async run(input, world) {
    const kind = input.text('kind') ?? 'decisions';
    if (!KINDS.includes(kind))
      throw new UsageError(`no kind of record is called "${kind}"; there is ${KINDS.join(', ')}`);
    if (kind === 'relay') return showListing(input, world, await relayLog(input, world));
    return showListing(input, world, await decisionLog(input, world));
  },
};

export default { order: 160, verbs: { log } } satisfies VerbFile;
