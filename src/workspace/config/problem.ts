/** Something wrong in a file that a person wrote, in a form `doctor` can point to. */
export interface Problem {
  readonly file: string;
  /** Counted from 1; 0 when the file as a whole is meant. */
  readonly line: number;
  /** The setting, from the top (`rules.basics/x.mode`); empty when no single one is meant. */
  readonly key: string;
  readonly message: string;
  /** An error makes its file invalid; a warning leaves the rest of the file in force. */
  readonly severity: 'error' | 'warning';
}
