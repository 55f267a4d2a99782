/** `1 file`, `2 files`, `3 boxes`. */
export function counted(count: number, noun: string): string {
  const ending = /[xs]$/.test(noun) ? 'es' : 's';
  return `${count} ${noun}${count === 1 ? '' : ending}`;
}
