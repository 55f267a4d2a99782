/** What the client gives to a plugin, as far as this one uses it. Any of it may be missing in another version: see `attempt`. */
export interface PluginInput {
  readonly client: Client;
  readonly directory?: string;
}

interface Client {
  readonly session: {
    get(given: { readonly path: { readonly id: string } }): Promise<{ readonly data?: SessionInfo | null } | undefined>;
    promptAsync(given: { readonly path: { readonly id: string }; readonly body: object }): Promise<unknown>;
  };
  readonly tui: { showToast(given: { readonly body: object }): Promise<unknown> };
}

/** What the client is to do. Where it cannot, or fails, the plugin goes on without: undefined. */
export async function attempt<Result>(act: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await act();
  } catch {
    return undefined;
  }
}

export interface SessionInfo {
  readonly parentID?: string;
  readonly agent?: string;
}

/** Of a callback about a call, or about a session. */
export interface CallbackInput {
  readonly sessionID: string;
  readonly tool: string;
  readonly callID: string;
}

/** What a callback may change, in place: the client keeps the objects that it gave. */
export interface CallbackOutput {
  readonly args: Record<string, unknown>;
  output?: unknown;
  readonly content?: unknown[];
  readonly context?: string[];
  readonly text: string;
  readonly message?: { readonly agent?: string; readonly model?: { providerID?: string; modelID?: string } };
  readonly parts?: { readonly id?: string | undefined; readonly messageID?: string | undefined }[];
}

export interface Properties {
  readonly sessionID: string;
  readonly info?: SessionInfo;
  readonly part?: {
    readonly type: string;
    readonly tool: string;
    readonly sessionID: string;
    readonly callID: string;
    readonly state?: { readonly status?: string };
  };
}
