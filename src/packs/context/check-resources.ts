import { defineRule, own, record } from '../../engine/rule.ts';
import type { Turn, Verdict } from '../../engine/rule.ts';
import { nudge } from './nudge.ts';
import { oneOf, readGroup } from './options.ts';
import { contextRoot } from './place.ts';
import { isLongAgo } from './repeat.ts';
import { judgeResources, readLimits, readMemorySource, RESOURCE_LIMITS } from './resource-levels.ts';
import type { Metric, ResourceLevel } from './resource-levels.ts';
import { ifWhole } from './whole.ts';

const DEFAULTS = { repeat: 'changed', memory_source: 'auto', ...RESOURCE_LIMITS };
const AGAIN_AFTER = 20;

interface Shown {
  readonly metrics: readonly Metric[];
  /** The prompt of the session at which they were shown. */
  readonly prompt: Turn;
}

export default defineRule({
  id: 'context/check-resources',
  pack: 'context',
  summary: 'Says when memory, swap, disk or load of the machine are close to what it can bear.',
  on: [{ event: 'prompt.submit' }],
  at: 'cwd',
  needs: { human: true, main: true },
  nudge: 'always',
  priority: 85,
  state: { shown: record<Shown>('context.resources_shown') },
  options: { resources: DEFAULTS },
  messages: {
    alert:
      'This machine is close to its limits:\n{alertMessages}\nSave work before starting anything large, and free some of it.\nNext: {next}',
  },
  examples: { pass: [{ prompt: 'Go on.' }] },
  async check(event, context) {
    const root = contextRoot(context);
    const dir = root ?? event.cwd;
    const sample = await context.facts.resources(dir);
    if (!sample) return context.pass('not found out in time');
    const given = context.options.resources;
    const danger = judgeResources(sample, readLimits(given), readMemorySource(given)).filter(
      ({ level }) => level === 'danger',
    );
    if (danger.length === 0) return context.pass('nothing is in danger');
    const { repeat } = readGroup(given, DEFAULTS);
    const { shown } = context.state;
    const before = ifWhole(shown.get(), { metrics: [] });
    const isNew = danger.some(({ metric }) => !before?.metrics.includes(metric));
    if (oneOf(repeat, ['changed', 'always']) === 'changed' && !isNew)
      if (!isLongAgo(before?.prompt, context.turn, AGAIN_AFTER)) return context.pass('said before');
    shown.set({ metrics: danger.map(({ metric }) => metric), prompt: context.turn });
    const said = nudge(context, dir, {
      variant: 'alert',
      values: {
        alertMessages: own(danger.map(showLevel).join('\n')),
        next: own(root === undefined ? 'save what is not saved yet' : 'fairlead context wrap-up'),
      },
      relayed: Object.fromEntries(danger.map(({ metric, value }) => [metric, Math.round(value * 100) / 100])),
    });
    return root === undefined ? said.map((verdict) => withoutContext(verdict, dir)) : said;
  },
});

const NAMES: Readonly<Record<Metric, string>> = { memory: 'Memory', swap: 'Swap', disk: 'Disk', load: 'Load' };

function showLevel({ metric, value, limit, by }: ResourceLevel): string {
  const name = NAMES[metric];
  if (by === 'load') return `${name}: ${value.toFixed(1)} per CPU, the limit is ${limit}`;
  // Rounded down: nothing reads as full that is not.
  const pct = `${Math.floor(value)} %`;
  if (by === 'pressure') return `${name}: all work waited for it ${pct} of the time, the limit is ${limit} %`;
  return `${name}: ${pct} used, the limit is ${limit} %`;
}

/** The last line of the box is where the nudge is about; there is no context here. */
function withoutContext(verdict: Verdict, dir: string): Verdict {
  return verdict.box === undefined ? verdict : { ...verdict, box: dir };
}
