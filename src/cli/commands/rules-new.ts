import { nodeFiles } from '../../platform/files.ts';
import { dirname, join } from '../../platform/paths.ts';
import { scaffoldRule } from '../../user-rules/scaffold.ts';
import type { ScaffoldAction, ScaffoldEvent } from '../../user-rules/scaffold.ts';
import { baseOf } from '../../workspace/config/compiled.ts';
import type { LayerKind } from '../../workspace/config/compiled.ts';
import { CommandError, UsageError } from '../command.ts';
import type { Command, Input, VerbFile } from '../command.ts';
import { hint } from '../hint.ts';
import { knownRules, shown } from '../known-rules.ts';

const EVENTS: readonly ScaffoldEvent[] = ['bash', 'file', 'prompt', 'stop'];
const ACTIONS: readonly ScaffoldAction[] = ['note', 'ask', 'deny'];
const SCOPES: readonly LayerKind[] = ['user', 'project'];

export const create: Command = {
  summary: 'write a rule without code',
  changesRules: true,
  usage: '<name>',
  details:
    'Writes a Markdown file that works as it is, with examples, to start from. A rule of your own is in force at once; a rule of the project once it is trusted.',
  args: [1, 1],
  options: {
    event: { type: 'string', value: EVENTS.join('|'), help: 'what it listens to (bash)' },
    action: { type: 'string', value: ACTIONS.join('|'), help: 'what it does (note)' },
    scope: { type: 'string', value: SCOPES.join('|'), help: 'where it lies (user)' },
  },
  async run(input, world) {
    const name = input.args[0] as string;
    if (!/^[A-Za-z0-9][\w.-]*$/.test(name)) {
      const slug = name
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, '');
      throw new UsageError(
        `a rule's name has only letters, digits, "-", "_" and "."${slug === '' ? '' : `; try "${slug}"`}`,
      );
    }
    const event = choice(input, 'event', EVENTS, 'bash');
    const action = choice(input, 'action', ACTIONS, 'note');
    const scope = choice(input, 'scope', SCOPES, 'user');
    const known = await knownRules(world);
    const path = join(baseOf(scope, known.layers[scope].dir), 'rules', `${name}.md`);
    if (nodeFiles.lstat(path)) throw new CommandError(`${shown(world, path)} is there already; choose another name`);
    const other = known.rules.find(({ meta, source }) => meta.id === `${scope}/${name}` && source !== path);
    if (other)
      throw new CommandError(
        `the rule ${scope}/${name} is already in ${shown(world, other.source)}; choose another name`,
      );

    nodeFiles.makeDir(dirname(path), scope === 'user' ? 0o700 : 0o755);
    nodeFiles.writeAtomic(path, scaffoldRule(name, { event, action }));
    world.out(`Wrote ${shown(world, path)}: the rule ${scope}/${name}.\n`);
    world.out(
      `Next: edit it, then \`fairlead rules test ${scope}/${name}\`${scope === 'project' ? ', then `fairlead trust` to put it in force' : ''}.\n`,
    );
    if (scope === 'user') world.out('It is in force now, with the example it came with.\n');
    return 0;
  },
};

function choice<Word extends string>(input: Input, option: string, words: readonly Word[], usual: Word): Word {
  const given = input.text(option) ?? usual;
  const word = words.find((one) => one === given);
  if (word === undefined)
    throw new UsageError(
      `--${option} cannot be "${given}"${hint(given, words) || `; it is one of ${words.join(', ')}`}`,
    );
  return word;
}

export default { order: 130, verbs: { 'rules new': create } } satisfies VerbFile;
