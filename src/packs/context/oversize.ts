import { record } from '../../engine/rule.ts';

export interface Oversize {
  /** All that the context files hold, before it was fitted. */
  readonly tokens: number;
  readonly threshold: number;
  readonly files: readonly { readonly name: string; readonly tokens: number }[];
}

/** More was to be loaded than is useful; kept until the next nudge about the size of the context has said so. Keyed by context. */
export const OVERSIZE = record<Oversize>('context.oversize', { scope: 'workspace' });
