import type { Effect } from '../../event/effect.ts';

/** Ways by which a command still runs here, as the same person, on what its words name. */
const HERE =
  /^(?:(?:ba|z|da|k|a|fi)?sh(?: -l?c)?|eval|env|command|builtin|exec|time|nice|ionice|nohup|timeout|stdbuf|setsid|flock|taskset|chrt|unbuffer|caffeinate|file|source|make|trap|watch|npx|bunx|(?:npm|pnpm|yarn)(?: \w+)?|\$?\( \)|heredoc|find -\w+|xargs|fd -x|parallel)$/;

export function runsHere({ road }: Pick<Effect, 'road'>): boolean {
  return road.every((step) => HERE.test(step));
}
