/** How an agent's own program is started, and what of that keeps its hooks or its questions from happening. */
export interface AgentProgram {
  /** The program, and the package that brings it. */
  readonly names: readonly string[];
  /** Words in the first place that start no session. */
  readonly others: readonly string[];
  /** Options that switch hooks or questions off. */
  readonly off: readonly string[];
  /** Options that do so with one of these values. */
  readonly choices: Readonly<Record<string, readonly string[]>>;
  /** Options that let tools run without a question, and the values that let everything. */
  readonly grants: { readonly options: readonly string[]; readonly all: readonly string[] };
  /** Options whose value is settings, as text or as a file. */
  readonly settings: readonly string[];
  /** Options that say which files of settings are read. */
  readonly sources: readonly string[];
  /** Variables that switch hooks off or have settings read from elsewhere. */
  readonly variables: readonly string[];
  /** The words before a key and its value that change settings. */
  readonly sets: readonly string[];
  /** The words before the name of an extension that put it out of force; absent where none can bring us along. */
  readonly drops?: readonly (readonly string[])[];
}
