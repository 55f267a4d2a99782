export type ComposedStep = { readonly at: number } & (
  | { readonly payload: Readonly<Record<string, unknown>> }
  | { readonly transcript: string }
  | { readonly file: string; readonly text: string }
  | { readonly run: string }
);

/** 60 prompts and 200 tool calls of one session, made of recorded payloads. */
export declare function composeSession(): readonly ComposedStep[];
