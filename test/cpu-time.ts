/** What work takes of the processors, in milliseconds: on a loaded machine the clock would tell of the others. */
export function cpuTimeOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
