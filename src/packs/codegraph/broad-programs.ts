import { listed } from '../../effects/words/arguments.ts';
import type { OptionSpec } from '../../shell/options.ts';

/** A program that looks for content, by the names of the options that matter here. */
export interface ContentProgram {
  readonly options: OptionSpec;
  /** Their values are patterns; without one, the first operand is. */
  readonly patterns: readonly string[];
  /** Their values are files that hold patterns. */
  readonly patternFiles: readonly string[];
  readonly globs: readonly string[];
  readonly types: readonly string[];
  /** File types are options of their own, as in `--ts`. */
  readonly typeFlags?: true;
  /** Any of these walks directories; a program without this list always does. */
  readonly recursive?: readonly string[];
  /** Any of these asks for all files. */
  readonly lists?: readonly string[];
  /** Their values are patterns of file names, and files are asked for. */
  readonly names?: readonly string[];
  /** With one of these it searches nothing. */
  readonly tells: readonly string[];
}

const RG: ContentProgram = {
  options: {
    values: listed(
      '-e --regexp -f --file -g --glob --iglob -t --type -T --type-not -A --after-context -B --before-context -C --context ' +
        '-m --max-count -M --max-columns -d --max-depth --maxdepth -E --encoding -j --threads -r --replace --sort --sortr ' +
        '--color --colors --context-separator --field-context-separator --field-match-separator --engine ' +
        '--dfa-size-limit --regex-size-limit --max-filesize --path-separator --pre --pre-glob --type-add --type-clear ' +
        '--ignore-file --hyperlink-format --hostname-bin --generate',
    ),
  },
  patterns: ['-e', '--regexp'],
  patternFiles: ['-f', '--file'],
  globs: ['-g', '--glob', '--iglob'],
  types: ['-t', '--type'],
  lists: ['--files'],
  tells: listed('-h --help -V --version --type-list --pcre2-version --generate'),
};

const AG: ContentProgram = {
  options: {
    values: listed(
      '-A -B -C -G --file-search-regex -g --ignore --ignore-dir -m --max-count -p --path-to-ignore --pager --depth ' +
        '-W --width --workers --color-line-number --color-match --color-path',
    ),
  },
  patterns: [],
  patternFiles: [],
  globs: [],
  types: [],
  typeFlags: true,
  names: ['-g'],
  tells: listed('--help -V --version --list-file-types'),
};

const ACK: ContentProgram = {
  options: {
    values: listed(
      '-A --after-context -B --before-context -C --context -g -m --max-count -t --type -T --ignore-dir --ignore-directory ' +
        '--ignore-file --noignore-dir --output --pager --match --files-from --range-start --range-end --type-set --type-add',
    ),
  },
  patterns: ['--match'],
  patternFiles: [],
  globs: [],
  types: ['-t', '--type'],
  typeFlags: true,
  lists: ['-f'],
  names: ['-g'],
  tells: listed('--help --version --help-types --man --dump --bar --thpppt --cathy'),
};

const GREP_VALUES = '-e -f -A --after-context -B --before-context -C --context -m --max-count';

const GREP: ContentProgram = {
  options: {
    values: listed(
      `${GREP_VALUES} --regexp --file -d --directories -D --devices --include --exclude --exclude-dir --exclude-from --binary-files --label ` +
        '--group-separator',
    ),
    flags: listed('--recursive --dereference-recursive --extended-regexp --files-with-matches --files-without-match'),
  },
  patterns: ['-e', '--regexp'],
  patternFiles: ['-f', '--file'],
  globs: ['--include'],
  types: [],
  recursive: ['-r', '-R', '--recursive', '--dereference-recursive'],
  tells: ['--help', '-V', '--version'],
};

export const GIT_GREP: ContentProgram = {
  options: { values: listed(`${GREP_VALUES} --threads --max-depth`) },
  patterns: ['-e'],
  patternFiles: ['-f'],
  globs: [],
  types: [],
  tells: ['-h', '--help'],
};

/** Before git's subcommand. */
export const GIT: OptionSpec = {
  values: listed('-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source'),
  stopAtOperand: true,
};

export const CONTENT_PROGRAMS: ReadonlyMap<string, ContentProgram> = new Map(
  Object.entries({
    rg: RG,
    ag: AG,
    ack: ACK,
    grep: GREP,
    egrep: GREP,
    fgrep: GREP,
    rgrep: withoutRecursive(GREP),
  }),
);

function withoutRecursive({ recursive: _always, ...program }: ContentProgram): ContentProgram {
  return program;
}

export const FD: OptionSpec = {
  values: listed(
    '-e --extension -t --type -d --max-depth --maxdepth --min-depth --exact-depth -E --exclude -c --color -j --threads ' +
      '-S --size --changed-within --changed-before --newer --older -o --owner -C --base-directory --search-path --format ' +
      '--path-separator --max-results --ignore-file --and --batch-size --max-buffer-time --gen-completions --hyperlink',
  ),
  flags: ['--glob', '--regex', '--full-path'],
};
/** With one of these it asks for what no graph knows of a file. */
export const FD_FACTS = listed(
  '-S --size --changed-within --changed-before --newer --older -o --owner -l --list-details',
);
export const FD_RUNS: ReadonlySet<string> = new Set(['-x', '-X', '--exec', '--exec-batch']);

export const LS: OptionSpec = {
  values: listed('-I --ignore --hide -w --width -T --tabsize --block-size --quoting-style --time-style'),
  flags: ['--recursive'],
};

export const LS_FACTS = listed('-S -t -c -u -s --sort --time --size');

export const TREE_FACTS = listed('-d -s -h -D -p -u -g --du --si --inodes -t -c --sort');
export const TREE: OptionSpec = {
  values: listed('-L -P -I -o -H -T --filelimit --charset --gitfile --infofile --timefmt --hintro --houtro'),
};

/** Tests of `find` whose value is a glob of names, and those whose value is an expression. */
export const FIND_NAMES: ReadonlySet<string> = new Set(
  listed('-name -iname -path -ipath -wholename -iwholename -lname -ilname'),
);
export const FIND_EXPRESSIONS: ReadonlySet<string> = new Set(['-regex', '-iregex']);
/** Tests of `find` about what no graph knows of a file. */
export const FIND_FACTS =
  /^-(?:size|empty|[acm](?:time|min)|used|[ac]?newer(?:[aBcm][aBcmt])?|user|uid|group|gid|nouser|nogroup|perm|readable|writable|executable|links|inum|samefile|ls)$/;
/** `find` changes or writes something. */
export const FIND_ACTIONS: ReadonlySet<string> = new Set(listed('-delete -fprint -fprint0 -fprintf -fls'));

/** What may be done with the files that a listing names and still be looking around. */
export const READERS: ReadonlySet<string> = new Set([
  ...CONTENT_PROGRAMS.keys(),
  ...listed(
    'cat bat head tail less more nl wc ls stat file du echo printf basename dirname realpath readlink sort uniq awk cut tr',
  ),
]);

/** Those of them that tell of files as such, not of what they hold. */
export const FACT_READERS: ReadonlySet<string> = new Set(['wc', 'ls', 'stat', 'file', 'du']);

/** A command without one of these words is not worth reading. */
export const SEARCH_WORDS = /(?:^|[^\w.-])(?:rg|ag|ack|[efr]?grep|fd|fdfind|find|ls|tree)(?:\.exe)?(?![\w.-])/i;
