/** Runs later, but keeps no process alive for it. */
export function soon(ms: number, work: () => void): void {
  setTimeout(work, ms).unref();
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Runs as soon as the events that have arrived by now are handled. */
export function afterThis(work: () => void): void {
  setImmediate(work);
}

let turn: Promise<void> | undefined;

/** Resolves, for all who ask until then at once, as soon as what has arrived by now is read. */
export function nextTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      resolve();
    });
  });
  return turn;
}

/** What a promise brings, or `late` when that takes longer; the promise itself is left to go on. */
export async function within<Value, Late>(ms: number, promise: Promise<Value>, late: Late): Promise<Value | Late> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<Late>((resolve) => {
    timer = setTimeout(() => resolve(late), ms);
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
