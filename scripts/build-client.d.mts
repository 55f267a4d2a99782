export interface BuiltClient {
  readonly built: boolean;
  readonly static: boolean;
  /** Set when none was built. */
  readonly why?: string;
}

export declare function buildClient(wanted: {
  /** The directory that holds `native/client.c`. */
  readonly root: string;
  readonly out: string;
  readonly stamp: string;
  readonly cc?: string;
}): BuiltClient;
