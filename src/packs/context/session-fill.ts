import { record } from '../../engine/rule.ts';
import type { Cells, RuleContext } from '../../engine/rule.ts';
import { isMap } from './options.ts';
import { fillOf } from './window.ts';
import type { Fill, WindowOptions } from './window.ts';

export const WINDOW_DEFAULTS = { size: 0, models: {} };

/** More was in the context than was thought to fit, so the window is the large one for the rest of the session. No flag: whether anybody heard a reply changes nothing about it. */
export const WINDOW_RAISED = record<true>('context.window_raised');

interface Asker extends Pick<RuleContext, 'options' | 'usage'> {
  /** Keeps `WINDOW_RAISED` under the name `raised`. */
  readonly state: Cells<{ readonly raised: typeof WINDOW_RAISED }>;
}

export interface SessionFill extends Omit<Fill, 'isRaised'> {
  readonly model?: string;
}

export function sessionFill(context: Asker): SessionFill {
  const { raised } = context.state;
  const usage = context.usage();
  const wasRaised = raised.get() === true;
  const { isRaised, ...fill } = fillOf(usage, readWindow(context.options['window']), wasRaised);
  if (isRaised && !wasRaised) raised.set(true);
  return { ...fill, ...(usage.model === undefined ? {} : { model: usage.model }) };
}

function readWindow(given: unknown): WindowOptions {
  const { size, models } = isMap(given) ? given : {};
  const isSize = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value > 0;
  const sizes = Object.entries(isMap(models) ? models : {}).filter((entry): entry is [string, number] =>
    isSize(entry[1]),
  );
  return { size: isSize(size) ? size : 0, models: Object.fromEntries(sizes) };
}
