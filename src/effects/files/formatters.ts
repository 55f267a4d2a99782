import { readOptions } from '../../shell/options.ts';
import { NONE, asksOnly, listed } from '../words/arguments.ts';
import { writeEach } from '../paths/path-effect.ts';
import type { ProgramTable, ReadEffects } from '../scene.ts';

interface Formatter {
  /** It writes only with one of these. */
  readonly writes?: string;
  /** It writes nothing with any of these. */
  readonly shows?: string;
  /** Options that take the next word. */
  readonly values?: string;
  /** The first operand must be one of these verbs. */
  readonly verbs?: string;
}

/** Programs that put the files they are given into another form, in place. */
function formats({ writes, shows = '', values = '', verbs }: Formatter): ReadEffects {
  const spec = { values: listed(values) };
  return (command, scene) => {
    const options = readOptions(command.words.slice(1), spec);
    if (asksOnly(options) || (shows !== '' && options.has(...listed(shows)))) return NONE;
    if (writes !== undefined && !options.has(...listed(writes))) return NONE;
    const [first, ...rest] = options.operands;
    if (verbs === undefined) return writeEach(options.operands, 'in-place', command, scene);
    return listed(verbs).includes(first?.value ?? '') ? writeEach(rest, 'in-place', command, scene) : NONE;
  };
}

const BLACK = formats({
  shows: '--check --diff -c --code',
  values:
    '-l --line-length -t --target-version --config --exclude --include --extend-exclude --force-exclude -W --workers',
});
const RUFF_VALUES = '--config --select --ignore --extend-select --line-length --target-version --exclude --cache-dir';
const RUFF_FORMAT = formats({ verbs: 'format', shows: '--check --diff', values: RUFF_VALUES });
const RUFF_FIX = formats({ verbs: 'check', writes: '--fix --fix-only', shows: '--diff', values: RUFF_VALUES });

export const FORMATTER_PROGRAMS: ProgramTable = {
  prettier: formats({
    writes: '--write -w',
    values:
      '--config --ignore-path --plugin --parser --log-level --cache-location --cache-strategy --config-precedence',
  }),
  eslint: formats({
    writes: '--fix',
    shows: '--fix-dry-run',
    values:
      '-c --config --ext --rule --plugin --parser --ignore-pattern --ignore-path -f --format -o --output-file --max-warnings --cache-location',
  }),
  stylelint: formats({ writes: '--fix', values: '--config --ignore-path -f --formatter --max-warnings' }),
  biome: formats({
    writes: '--write --fix --apply',
    verbs: 'format check lint',
    values: '--config-path --max-diagnostics',
  }),
  black: BLACK,
  isort: formats({ shows: '--check --check-only -c --diff', values: '--profile --settings-path -l --skip' }),
  ruff: (command, scene) => [...RUFF_FORMAT(command, scene), ...RUFF_FIX(command, scene)],
  autopep8: formats({ writes: '-i --in-place', values: '--max-line-length --select --ignore' }),
  gofmt: formats({ writes: '-w', values: '-r' }),
  goimports: formats({ writes: '-w', values: '-local' }),
  rustfmt: formats({ shows: '--check', values: '--edition --config-path --config --emit' }),
  shfmt: formats({ writes: '-w --write', values: '-i --indent -ln --language-dialect' }),
  'clang-format': formats({ writes: '-i', shows: '-n --dry-run', values: '--style --files' }),
};
