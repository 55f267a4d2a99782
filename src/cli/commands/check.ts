import { FORMATS, problemsIn } from '../check/formats.ts';
import { lookAt } from '../check/look.ts';
import { inScratch } from '../check/scratch-world.ts';
import { UsageError } from '../command.ts';
import type { Command, VerbFile } from '../command.ts';
import { targetOf } from '../install/target.ts';

const NAMES = Object.keys(FORMATS);

export const check: Command = {
  summary: 'check what a repository brings, for CI: rules, examples, settings',
  usage: '[dir]',
  details: `Reads the rules of the project, runs their examples, and looks at its settings and at the hooks that it shares, as \`rules test\` and
\`doctor\` do. It uses an empty home that is gone afterwards: your own settings, what you trust and what is installed do not
count, so the answer is the same on every machine. Nothing is written, and no engine stays.

Formats: text; json; github, which GitHub Actions shows at the line; sarif, for code scanning; junit, for test reports.
Exit code 0 when nothing is wrong, 1 when something is, 2 on wrong usage. \`docs/ci.md\` has a workflow.`,
  args: [0, 1],
  options: {
    format: { type: 'string', value: 'NAME', help: `${NAMES.join(', ')} (text)` },
    strict: { type: 'boolean', help: 'warnings count as errors' },
  },
  async run(input, world) {
    const name = input.text('format') ?? 'text';
    const format = FORMATS[name];
    if (!format) throw new UsageError(`--format is one of ${NAMES.join(', ')}, not "${name}"`);
    const { root } = targetOf(input.args[0], world);
    const checked = await inScratch({ name: 'check', alone: root, cwd: root, env: {} }, world, (scratch) =>
      lookAt(root, scratch),
    );
    world.out(format(checked));
    const isWrong = problemsIn(checked).some(({ level }) => level === 'error' || input.has('strict'));
    return isWrong ? 1 : 0;
  },
};

export default { order: 45, verbs: { check } } satisfies VerbFile;
