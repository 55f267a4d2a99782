type Variables = Readonly<Record<string, string | undefined>>;

/** Sessions whose variables are kept; the one kept longest goes first. */
const MOST_SESSIONS = 2_000;

/**
 * What the environment of each session's agent holds. Events that come without one, because the agent posts them, belong
 * to a session whose start did not: its variables count, and those of this process only where nothing is known.
 */
export function createSessionVariables(own: Variables): {
  keep(session: string, variables: Variables): void;
  readonly variable: (name: string, session: string) => string | undefined;
} {
  const known = new Map<string, Variables>();
  return {
    keep(session, variables) {
      if (!known.has(session) && known.size >= MOST_SESSIONS) known.delete(known.keys().next().value ?? '');
      known.set(session, variables);
    },
    variable: (name, session) => (known.get(session) ?? own)[name],
  };
}
