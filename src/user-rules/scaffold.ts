export type ScaffoldEvent = 'bash' | 'file' | 'prompt' | 'stop';
export type ScaffoldAction = 'note' | 'ask' | 'deny';

interface Start {
  readonly filter: string;
  readonly pattern: string;
  readonly hit: string;
  readonly miss: string;
  readonly message: string;
}

const STARTS: Readonly<Record<ScaffoldEvent, Start>> = {
  bash: {
    filter: '# paths: and words: narrow the rule down before its pattern is looked at.\nwords: [npm]',
    pattern: '\\bnpm\\s+publish\\b',
    hit: 'npm publish --access public',
    miss: 'npm run publish-docs',
    message:
      'This would publish the package: `{match}`.\n\nReleases are made by the release workflow. Run `npm pack --dry-run` to see what would go out.',
  },
  file: {
    filter:
      "# Globs count from the project root; a glob without a slash matches any file name.\npaths: ['src/**/*.ts']",
    pattern: '\\bconsole\\.log\\(',
    hit: "console.log('here')",
    miss: "logger.info('here')",
    message:
      '`{path}` gets a `{match}` that would reach production.\n\nUse the logger of the project, or remove the line before you finish.',
  },
  prompt: {
    filter: '# words: one of them must occur, in either case, before the pattern is looked at.\nwords: [deploy]',
    pattern: '\\bdeploy\\b.*\\bproduction\\b',
    hit: 'please deploy this to production',
    miss: 'please deploy this to staging',
    message: 'Deployments to production need a green pipeline. Check it first, and say what you found.',
  },
  stop: {
    filter: "# The pattern is held against the agent's last message.",
    pattern: '\\btests? (pass|are green)',
    hit: 'Done, all tests pass.',
    miss: 'Done, I did not run the tests.',
    message: 'Before you finish: name the command that ran the tests and its last line of output.',
  },
};

/** A rule file to start from: it works as it is, and its examples pass. */
export function scaffoldRule(
  name: string,
  { event, action }: { readonly event: ScaffoldEvent; readonly action: ScaffoldAction },
): string {
  const { filter, pattern, hit, miss, message } = STARTS[event];
  const throttle =
    action === 'note'
      ? '# How often it may speak: once per session, turn, day, path; cooldown 10m; every 5.\nthrottle: once per turn\n'
      : '';
  return `---
name: ${name}
summary: Say in one line what this rule is for
# bash, file, prompt, stop, all, or an exact event such as tool.after.
event: ${event}
${filter}
# A regular expression, in either case. Write it without quotes.
pattern: ${pattern}
# note tells the agent; ask asks the person; deny stops it.
action: ${action}
${throttle}# \`fairlead rules test\` runs these. Under pass belongs at least one near miss: same event and tool, but fine.
examples:
  ${action}:
    - ${quote(hit)}
  pass:
    - ${quote(miss)}
---
${message}
`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
