const [MAJOR = 0] = process.versions.node.split('.').map(Number);

/** Of the flags that only some versions of Node take, those that this one does; any other would end the process at its start. */
export function knownFlags(
  flags: readonly { readonly flag: string; readonly until: number }[],
  major = MAJOR,
): string[] {
  return flags.filter(({ until }) => major <= until).map(({ flag }) => flag);
}
