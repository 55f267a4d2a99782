export interface DrawingOptions {
  /** Box characters that a block needs at least. */
  readonly threshold: number;
  /** Boxes of `+ - |` count as well. */
  readonly ascii: boolean;
  /** Labels of fences that quote what a program printed. */
  readonly quotedFences: readonly string[];
}

export interface Drawing {
  /** First and last line of the block, from 1; its fences are part of it. */
  readonly first: number;
  readonly last: number;
  /** Closed boxes that are no tables. */
  readonly boxes: number;
  /** From the first line with a box character to the last, as they are compared: see `normalise`. */
  readonly lines: readonly string[];
  readonly fingerprint: string;
  /** Label of the fence in lower case, '' where it has none; undefined outside of fences. */
  readonly fence?: string;
}

export const DEFAULTS: DrawingOptions = {
  threshold: 10,
  ascii: false,
  quotedFences: ['console', 'terminal', 'shell-session', 'output', 'log'],
};

/** Whether a text can hold a drawing at all: one scan. */
export function hasBoxCharacters(text: string, ascii: boolean): boolean {
  return /[\u2500-\u257f]/.test(text) || (ascii && /\+[-=]/.test(text));
}

/** The drawings of a Markdown text in their order; blocks that hold only trees or tables are none. */
export function findDrawings(_text: string, _options: DrawingOptions): readonly Drawing[] {
  return [];
}
