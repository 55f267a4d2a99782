export interface Place {
  readonly room: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly nth: number;
  readonly kind: string;
  readonly original: string;
  readonly text: string;
  readonly lineText: string;
}

export declare function findBreaks(
  path: string,
  source: string,
): readonly { readonly kind: string; readonly start: number; readonly end: number; readonly text: string }[];
export declare function choosePlaces(
  sources: ReadonlyMap<string, string>,
  roomOf: (path: string) => string | undefined,
  count: number,
  seed: number,
): readonly Place[];
export declare function breakAt(source: string, place: Place): string | undefined;
