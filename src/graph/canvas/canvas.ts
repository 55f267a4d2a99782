/** What was found out about a root, in the order in which it was: `<ws>/canvas.json`. */
export interface Canvas {
  readonly version: 1;
  /** Numbers only rise, whatever is taken out. */
  readonly lastEvidence: number;
  /** Key of the symbol whose impact was asked for last by a person or an agent. */
  readonly focus?: string;
  readonly evidence: readonly Evidence[];
  /** Of no meaning here, and kept as they are. */
  readonly claims?: unknown;
  readonly decisions?: unknown;
}

export interface Evidence {
  /** `E<n>`. */
  readonly id: string;
  readonly kind: 'architecture' | 'impact';
  readonly origin: 'auto' | 'explicit';
  /** Key and name, of an impact. */
  readonly symbol?: string;
  readonly name?: string;
  readonly counts: Readonly<Record<string, number>>;
  /** Of what the picture shows: another one means that the code has changed since. */
  readonly digest: string;
  /** Base name of the picture in the artifacts, without its ending. */
  readonly picture?: string;
  readonly at: number;
}
