import type { Env } from '../adapters/adapter.ts';
import { ADOPTED } from '../adapters/hook-words.ts';
import type { HomePaths } from '../platform/paths.ts';

/** One start of the command transport: what was asked, in which home, and until when an answer counts. */
export interface Call {
  readonly args: readonly string[];
  readonly body: Uint8Array;
  readonly size: number;
  /** Undefined when the directory is gone. */
  readonly cwd: string | undefined;
  readonly env: Env;
  readonly paths: HomePaths;
  readonly userHome: string;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

/** As the hook command names it. */
export function agentIn(args: readonly string[]): { readonly agent?: string } {
  const agent = valueOf(args, '--agent');
  return agent === undefined ? {} : { agent };
}

/** Which hooks of others an entry has us run, if any. */
export function adoptedIn(args: readonly string[]): string | undefined {
  return valueOf(args, ADOPTED);
}

export function valueOf(args: readonly string[], flag: string): string | undefined {
  const at = args.indexOf(flag);
  return at < 0 ? undefined : args[at + 1];
}
