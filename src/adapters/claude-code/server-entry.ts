/** Client 2.1.325 hides the tools of servers behind a search unless the definition, or the server's entry, says otherwise. */
export const TOOL_META: Readonly<Record<string, unknown>> = { 'anthropic/alwaysLoad': true };
