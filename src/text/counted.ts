/** `1 file`, `2 files`, `3 boxes`, `4 searches`. */
export function counted(count: number, noun: string): string {
  const ending = /(?:[xs]|[cs]h)$/.test(noun) ? 'es' : 's';
  return `${count} ${noun}${count === 1 ? '' : ending}`;
}
