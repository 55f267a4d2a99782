/** Something wrong in a rule file. An error keeps the rule from being used. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  /** The field it concerns; empty for the file as a whole. */
  readonly key: string;
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

export type Report = (line: number, key: string, message: string, severity?: Problem['severity']) => void;
