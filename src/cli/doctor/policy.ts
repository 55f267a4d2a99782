import { nodeFiles } from '../../platform/files.ts';
import { readCheck } from '../../team/fetch-policy.ts';
import { teamDir } from '../../team/place.ts';
import { teamOf } from '../../workspace/team-standing.ts';
import type { CliWorld } from '../command.ts';
import type { KnownRules } from '../known-rules.ts';
import { formatTime } from '../table.ts';
import type { Fact, Finding, Section } from './report.ts';

/** The policy that this machine follows; nothing where it follows none. */
export function checkPolicy({ layers, rules }: KnownRules, world: CliWorld): Section[] {
  const settings = layers.user.config.team;
  if (!settings) return [];
  const { policy, glass, problems = [] } = layers.team ?? {};
  const check = readCheck(teamDir(world.paths.state, settings), nodeFiles);
  const team = teamOf(layers);
  const facts: Fact[] = [['source', settings.policy]];
  const findings: Finding[] = problems.map(({ file, line, message }): Finding => {
    const [, name] = /policy\.json:(.+)$/.exec(file) ?? [];
    if (name !== undefined)
      return {
        level: 'attention',
        what: `${name}:${line} of the policy: ${message}`,
        why: 'The rest of the policy is in force.',
        next: 'ask whoever signs the policy for the next version',
      };
    return {
      level: 'attention',
      what: `What is kept of the policy ${message}.`,
      why: policy ? 'What it said last stays in force.' : 'Nothing of the policy is in force.',
      next: 'fairlead policy refresh',
    };
  });
  if (policy) {
    facts.push([
      'policy',
      `${policy.name}@${policy.version}, accepted ${formatTime(policy.acceptedAt)}, expires ${policy.expires}`,
    ]);
    if (Date.parse(policy.expires) <= Date.now())
      findings.push({
        level: 'attention',
        what: `The policy ${policy.name}@${policy.version} expired on ${policy.expires}.`,
        why: 'It stays in force, and nothing newer has come.',
        next: 'fairlead policy refresh; if that finds nothing, ask whoever signs it',
      });
  }
  if (team) facts.push(['ring', `${team.ring === 0 ? 'none' : String(team.ring)}, ${team.stage}`]);
  if (glass)
    findings.push({
      level: 'attention',
      what: `The policy does not count until ${formatTime(glass.until)}.`,
      why: `Somebody broke its glass: ${glass.reason}`,
      next: 'fairlead policy mend',
    });
  if (check?.problem !== undefined)
    findings.push({
      level: 'attention',
      what: `${check.problem}.`,
      why: `So it was at the last look, ${formatTime(check.at)}. The policy before stays in force.`,
      next: 'fairlead policy refresh',
    });
  for (const { meta, mode, lowered, policy: by } of rules.filter((rule) => rule.lowered !== undefined))
    findings.push({
      level: 'note',
      what: `${meta.id} is ${mode} here; the policy ${by} wants ${lowered}.`,
      why: 'The policy reports weaker settings and does not refuse them.',
      next: `fairlead rules mode ${meta.id} ${lowered}`,
    });
  for (const { meta, policy: by } of rules.filter((rule) => rule.held === true)) {
    const files = [layers.user, layers.project].filter(({ config }) => config.rules?.[meta.id]?.options !== undefined);
    if (files.length > 0)
      findings.push({
        level: 'note',
        what: `${meta.id} has options of ${files.map(({ kind }) => `the ${kind}`).join(' and ')}.`,
        why: `The policy ${by} holds the rule. What it does not set, the machine may, and that can be less.`,
        next: `fairlead rules show ${meta.id}`,
      });
  }
  return [{ title: 'Policy', facts, findings }];
}
