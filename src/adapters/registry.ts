import type { Adapter } from './adapter.ts';
import { claudeCode } from './claude-code/index.ts';

export const ADAPTERS: readonly Adapter[] = [claudeCode];

export function adapterNamed(name: string): Adapter | undefined {
  return ADAPTERS.find((adapter) => adapter.name === name);
}
