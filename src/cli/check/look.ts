import { PACK_DOCTORS } from '../../packs/cli.generated.ts';
import { relative } from '../../platform/paths.ts';
import type { CliWorld } from '../command.ts';
import type { Finding, Section } from '../doctor/report.ts';
import { checkRules } from '../doctor/rules.ts';
import { checkSettings } from '../doctor/settings.ts';
import { problemsOf } from '../doctor/wiring.ts';
import { inspectInstall } from '../install/inspect.ts';
import { knownRules } from '../known-rules.ts';
import { ownRules, testOne } from '../rule-examples.ts';
import type { Tested } from '../rule-examples.ts';

export interface CheckProblem {
  readonly level: 'error' | 'warning';
  /** The rule, or the part of the repository that it is about. */
  readonly about: string;
  readonly text: string;
  /** Seen from the top of the repository. */
  readonly file?: string;
  readonly line?: number;
}

/** One thing that was looked at. */
export interface CheckPart {
  readonly name: string;
  readonly problems: readonly CheckProblem[];
}

export interface Checked {
  readonly root: string;
  /** Rules of the repository, and how many examples they have in all. */
  readonly rules: number;
  readonly examples: number;
  readonly parts: readonly CheckPart[];
}

/** What a repository brings: its rules with their examples, its settings, and the hooks that it shares. */
export async function lookAt(root: string, scratch: CliWorld): Promise<Checked> {
  const tested: Tested[] = [];
  for (const candidate of ownRules(scratch)) tested.push(await testOne(candidate));
  const rules = tested.map((rule): CheckPart => ({ name: rule.id, problems: problemsOfRule(rule, root) }));
  const files = new Set(tested.flatMap(({ file }) => file ?? []));
  const known = await knownRules(scratch, root);
  const doctors = await Promise.all(PACK_DOCTORS.map(({ load }) => load()));
  const shared = inspectInstall(root, scratch).filter(({ scope, exists }) => scope === 'project' && exists);
  const sections: readonly Section[] = [
    checkSettings(known, [], scratch),
    checkRules(known, scratch),
    { title: 'Shared hooks', facts: [], findings: shared.flatMap((wiring) => problemsOf(wiring, scratch)) },
    ...doctors.toSorted((a, b) => a.order - b.order).flatMap(({ check }) => check(known, undefined, scratch)),
  ];
  // What is wrong in the file of a rule was said with the rule.
  const isNew = ({ at }: Finding): boolean => at === undefined || !files.has(at.file);
  return {
    root,
    rules: rules.length,
    examples: tested.reduce((sum, { examples }) => sum + examples, 0),
    parts: [
      ...rules,
      ...sections.map(({ title, findings }) => ({
        name: title,
        problems: findings.filter(isNew).map((finding) => problemOf(finding, title, root)),
      })),
    ],
  };
}

/** A problem of a file begins with its line. */
const LINE = /^line (\d+): ([^]*)$/;

function problemsOfRule({ id, file, failures, warnings }: Tested, root: string): CheckProblem[] {
  const place = file === undefined ? {} : { file: relative(root, file) };
  const say =
    (level: CheckProblem['level']) =>
    (text: string): CheckProblem => {
      const [, line, rest = text] = LINE.exec(text) ?? [];
      return { level, about: id, text: rest, ...place, ...(line === undefined ? {} : { line: Number(line) }) };
    };
  return [...failures.map(say('error')), ...warnings.map(say('warning'))];
}

function problemOf({ level, what, why, next, at }: Finding, about: string, root: string): CheckProblem {
  return {
    level: level === 'attention' ? 'error' : 'warning',
    about,
    text: `${what}\n${why}\nNext: ${next}`,
    ...(at && { file: relative(root, at.file) }),
    ...(at?.line === undefined ? {} : { line: at.line }),
  };
}
