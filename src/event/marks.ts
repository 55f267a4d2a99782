/** A file that carries what its name does not tell. */
export interface FileMark {
  readonly path: string;
  /** It came from the network and nobody has read it, or it got a secret or what the environment holds. */
  readonly what: 'download' | 'secret' | 'environment';
  /** The secret that it got, or the host that it came from. */
  readonly name: string;
}

/** What a session keeps in mind of where files and texts came from. */
export interface Marks {
  readonly files: readonly FileMark[];
  /** Stamps of keys that were shown, each with the name of what held it; never a key itself. */
  readonly shown: readonly (readonly [stamp: string, name: string])[];
}
