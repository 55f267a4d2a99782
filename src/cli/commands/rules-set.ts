import { isMode } from '../../engine/limits/mode.ts';
import { MODES } from '../../event/verdict.ts';
import type { Mode } from '../../event/verdict.ts';
import { changeMode, targetOf } from '../change-mode.ts';
import { JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { refuseHeld } from '../held-rules.ts';
import { hint } from '../hint.ts';
import { agreesToSource, leavesShadow } from '../instructions/show-source.ts';
import { knownRules } from '../known-rules.ts';
import { describeQuiet, QUIET_OPTIONS, quietPlace, quietRules, quietSpan } from '../quiet-rules.ts';

const DETAILS =
  "Changes your own config.yaml and nothing else in it; comments and spacing stay. A project's trusted config.yaml is above yours.\nA rule's name without its pack is enough where no other rule has it.";

export const enable: Command = {
  summary: 'switch a rule on, also before its quiet time is over',
  changesRules: true,
  usage: '<rule|pack>',
  details: `${DETAILS} Ends \`rules mode RULE off --for\` and \`allow-once\` in this project.`,
  args: [1, 1],
  options: JSON_OPTION,
  run: (input, world) => changeMode(input, world, 'on'),
};

export const disable: Command = {
  summary: 'switch a rule off',
  now: 'rules mode RULE off',
  gated: 'it silences a rule',
  changesRules: true,
  usage: '<rule|pack>',
  details: DETAILS,
  args: [1, 1],
  options: JSON_OPTION,
  check: async (input, world) => void targetOf(input, await knownRules(world)),
  run: (input, world) => changeMode(input, world, 'off'),
};

export const mode: Command = {
  summary: 'set how hard a rule may act',
  gated: 'it changes how hard a rule acts',
  changesRules: true,
  usage: `<rule|pack> <${MODES.join('|')}>`,
  details: `${DETAILS}
  off      it does not run
  shadow   it decides and records, and says nothing
  advise   what it would stop or ask about becomes a note to the agent
  save     what it would ask about runs once a copy is kept (\`fairlead undo\`); what it denies, it denies
  ask      what it would stop, it asks the person about
  enforce  it does what it decides
For a pack the mode is a ceiling: none of its rules acts harder, unless the rule has a mode of its own.

\`off --for 1h\` quiets a rule for a time, in this project; with --team in every project, for all who share state. It still looks, and the record says what it would have done. With --command
only that very command passes, with --path only calls of which everything they touch matches; with both, both must hold.
\`fairlead rules list\` shows what is quiet, \`fairlead rules enable RULE\` ends it.`,
  args: [2, 2],
  options: { ...QUIET_OPTIONS, ...JSON_OPTION },
  async check(input, world) {
    if (quietSpan(input) !== undefined && modeOf(input) !== 'off')
      throw new UsageError(`--for goes with off; ${modeOf(input)} stays until it is set otherwise`);
    modeOf(input);
    targetOf(input, await knownRules(world));
  },
  async run(input, world) {
    const span = quietSpan(input);
    if (span !== undefined) return quiet(input, span, world);
    return (await agreesTo(input, world)) ? changeMode(input, world, modeOf(input)) : DECLINED;
  },
};

const DECLINED = 1;

/** Each rule that would leave shadow and was made of a sentence is for the person to agree to. A pack's mode is a ceiling, which raises none. */
async function agreesTo(input: Input, world: CliWorld): Promise<boolean> {
  const known = await knownRules(world);
  const { name, isPack } = targetOf(input, known);
  const rule = isPack ? undefined : known.rules.find(({ meta }) => meta.id === name);
  return !rule || !leavesShadow(rule, modeOf(input)) || agreesToSource(rule.meta, world);
}

async function quiet(input: Input, span: number, world: CliWorld): Promise<number> {
  const known = await knownRules(world);
  const { name, isPack } = targetOf(input, known);
  refuseHeld(known.rules, ({ meta }) => (isPack ? meta.pack === name : meta.id === name));
  const rules = known.rules.map(({ meta }) => meta).filter(({ id, pack }) => (isPack ? pack === name : id === name));
  const exception = quietRules(
    rules.map(({ id }) => id),
    await quietPlace(known.root, input, world),
    span,
    input,
    world,
  );
  if (input.has('json')) printJson(world, exception);
  else world.out(`${describeQuiet(exception)}. \`fairlead rules enable ${name}\` ends it before.\n`);
  return 0;
}

function modeOf({ args: [, word = ''] }: Input): Mode {
  if (isMode(word)) return word;
  throw new UsageError(`no mode "${word}"${hint(word, MODES) || `; it is one of ${MODES.join(', ')}`}`);
}

export default {
  order: 120,
  verbs: { 'rules enable': enable, 'rules disable': disable, 'rules mode': mode },
} satisfies VerbFile;
