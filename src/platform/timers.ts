/** Runs later, but keeps no process alive for it. */
export function soon(ms: number, work: () => void): void {
  setTimeout(work, ms).unref();
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
