import type { DrawRequest } from '../indexer/request.ts';

export interface DrawingQueueOptions {
  draw(request: DrawRequest): Promise<unknown>;
  /** Nothing that was changed there waits to be read, so that a picture would be of what is. */
  isReady(root: string): boolean;
  onFailure(what: string, error: unknown): void;
}

/** Pictures and evidence of what agents were told: one after the other, when nothing else is to be done at their root. */
export interface DrawingQueue {
  want(request: Omit<DrawRequest, 'do' | 'origin'>): void;
  /** Draws what is ready. */
  go(): void;
  close(): void;
}

/** Beyond that, what was wanted longest ago is left out. */
const MAX_WAITING = 50;

export function createDrawingQueue({ draw, isReady, onFailure }: DrawingQueueOptions): DrawingQueue {
  const waiting = new Map<string, DrawRequest>();
  let isDrawing = false;
  let isClosed = false;

  function next(): DrawRequest | undefined {
    for (const [key, request] of waiting) {
      if (!isReady(request.root)) continue;
      waiting.delete(key);
      return request;
    }
    return undefined;
  }

  async function drawAll(): Promise<void> {
    if (isDrawing) return;
    isDrawing = true;
    for (let request = next(); request; request = next()) {
      try {
        await draw(request);
      } catch (error) {
        if (!isClosed) onFailure('drawing what the code graph shows', error);
      }
    }
    isDrawing = false;
  }

  return {
    want(request) {
      const key = `${request.root}\n${request.what}\n${request.symbol ?? ''}`;
      waiting.delete(key);
      waiting.set(key, { ...request, do: 'draw', origin: 'auto' });
      const [oldest] = waiting.keys();
      if (waiting.size > MAX_WAITING && oldest !== undefined) waiting.delete(oldest);
    },
    go: () => void drawAll(),
    close() {
      isClosed = true;
      waiting.clear();
    },
  };
}
