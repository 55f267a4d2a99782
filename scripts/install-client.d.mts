/** The client of each agent, by npm. */
export const CLIENTS: Readonly<Record<string, { readonly package: string; readonly version: string } | undefined>>;
