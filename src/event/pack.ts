/**
 * What a pack says of itself in its `pack.ts`: data alone, which `packs.generated.ts` holds for all. Its code is found where
 * it lies in its folder: rules, `jobs.ts`, `observe.ts`, `borrowed.ts`, and for the command line `cli/commands/`,
 * `cli/doctor.ts`, `cli/stats.ts`, `cli/setup.ts` and `cli/statusline.ts`.
 */
export interface Pack {
  /** What it does for people, in one line. */
  readonly about: string;
  /** On without being asked for. */
  readonly on?: true;
  /** Where one of these variables is 1, the pack is silent. */
  readonly killVariables?: readonly string[];
  /** Variables of a session's environment that its rules ask for. */
  readonly variables?: readonly string[];
  /** Settings of the engine that stand among the options of this pack. */
  readonly holds?: readonly EngineSetting[];
  /**
   * The directory, in a project's root, that is the pack's. Its text goes to the agent once a person has accepted it, and
   * what the engine keeps in the project lies there.
   */
  readonly dir?: string;
  readonly borrows?: Borrowed;
  readonly original?: Original;
  /** By rule: the cell of a workspace that has it fall silent there. Whoever enables the rule clears it. */
  readonly silencing?: Readonly<Record<string, string>>;
}

/** `graph`: what is indexed. `relay`: who hears of records. `sessions`: how long they are kept. `careful`: how long that lasts. */
export type EngineSetting = 'graph' | 'relay' | 'sessions' | 'careful';

/** The program that the pack was made after. */
export interface Original {
  readonly program: string;
  /** What the commands of its hooks, or the name of its plugin, have in them: a regular expression. */
  readonly calls: string;
  /** What comes of it where both are called. */
  readonly both: string;
}

/** Files of another program in a project's root that count here too, once a person has accepted them. */
export interface Borrowed {
  /** What people call the program. */
  readonly program: string;
  readonly settings: string;
  /** The option of the pack that, when false, has its settings not read. */
  readonly switch: string;
  /** Its texts, one file each, in a directory and those below it: `dir/*.txt`. */
  readonly messages: string;
}

/** What a pack exports as `borrowed` from its `borrowed.ts`: how such files are read. */
export interface BorrowedReader {
  /** Which option of the pack a key stands for, and what it has to be. `a.b` is the key `b` in the map `a`; of two for one option the later counts. */
  readonly options: Readonly<Record<string, readonly [option: string, kind: 'number' | 'text' | 'switch' | 'list']>>;
  /** Messages, as `<rule>/<variant>`, and whole rules that have another name there than here. */
  readonly messageNames: Readonly<Record<string, string>>;
  /** A text of that program as one of ours. */
  parseTemplate(template: string): { readonly text: string; readonly broken?: BrokenPlaceholder };
}

/** Loaded when a project has such files and a person has accepted them. */
export interface PackBorrowed {
  readonly pack: string;
  load(): Promise<BorrowedReader>;
}

export interface BrokenPlaceholder {
  readonly line: number;
  readonly message: string;
}
