import type { RuleContext, Verdict } from '../../engine/rule.ts';
import { fit } from './nudge.ts';
import { isMap, oneOf } from './options.ts';

interface Blocked {
  readonly variant: string;
  /** For those who listen outside. */
  readonly message: string;
  readonly relayed?: Readonly<Record<string, string>>;
}

/** Relays that something was stopped. The reason may be a person's own wording, of any length. */
export function block(
  { later, options }: Pick<RuleContext, 'later' | 'options'>,
  { variant, message, relayed }: Blocked,
  verdict: Verdict,
): Verdict {
  const { said, remark } = fit(verdict);
  later.relay(variant, message, remark ? { ...relayed, ...remark } : relayed, blocksAs(options));
  return said;
}

/** What a record of a block is sent as: to those who asked for nudges too, unless `relay.blocks` says `relay`. */
function blocksAs(options: Readonly<Record<string, unknown>>): 'nudge' | 'relay' {
  const group = isMap(options['relay']) ? options['relay'] : {};
  return oneOf(group['blocks'], ['nudge+relay', 'relay']) === 'relay' ? 'relay' : 'nudge';
}
