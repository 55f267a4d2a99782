import { printTable } from '../lib/measure.ts';

export interface Target {
  readonly what: string;
  readonly value: number;
  readonly limit: number;
  readonly is: 'at most' | 'at least';
}

/** Prints them; one that is missed, or could not be measured, makes the process fail. */
export function judge(targets: readonly Target[]): void {
  const isMet = ({ value, limit, is }: Target) => (is === 'at most' ? value <= limit : value >= limit);
  console.log('\ntargets:');
  printTable(
    ['', 'measured', '', 'target', ''],
    targets.map((target) => [
      target.what,
      Number.isNaN(target.value) ? 'not measured' : target.value.toFixed(2),
      target.is,
      String(target.limit),
      isMet(target) ? 'met' : 'MISSED',
    ]),
  );
  for (const target of targets.filter((one) => !isMet(one))) {
    process.exitCode = 1;
    console.error(`missed: ${target.what} is ${target.value.toFixed(2)}, ${target.is} ${target.limit} was wanted`);
  }
}
