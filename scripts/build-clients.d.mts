export interface Target {
  readonly compiler: string;
  /** What to install on Debian. */
  readonly debian: string;
  /** Its number in the head of a program. */
  readonly machine: number;
}

export declare const TARGETS: Readonly<Record<string, Target>>;
export declare function buildClients(options: {
  readonly root: string;
  readonly targets?: Readonly<Record<string, Target>>;
}): Readonly<Record<string, string>>;
export declare function problemOf(bytes: Buffer, target: Target, stamp: string): string | undefined;
