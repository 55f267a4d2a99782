/** What this process has used of all processors, in microseconds. Unlike the time of day, a busy machine does not add to it. */
export function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
