import { exampleEvent } from '../engine/example-event.ts';
import type { ExamplePlace } from '../engine/example-event.ts';
import { whyFiltered } from '../engine/rule-index.ts';
import type { Example, RuleMeta } from '../engine/rule.ts';

/**
 * The examples under `pass` that the rule's event and tool filters let in. Whether the rule really stays silent on them
 * is for the run of the examples to show. A rule without one has never been seen to hold back.
 */
export function nearMisses(meta: RuleMeta, place: ExamplePlace): readonly (Example | string)[] {
  const rule = { meta, mode: 'advise', options: {}, source: '', load: () => ({ check() {} }) } as const;
  return (meta.examples?.pass ?? []).filter(
    (example) => whyFiltered(rule, exampleEvent(example, meta, place), () => place.root)?.tier !== 0,
  );
}
