/** `1 file`, `2 files`, `3 boxes`, `4 searches`, `5 copies`. */
export function counted(count: number, noun: string): string {
  if (count !== 1 && /[^aeiou]y$/.test(noun)) return `${count} ${noun.slice(0, -1)}ies`;
  const ending = /(?:[xs]|[cs]h)$/.test(noun) ? 'es' : 's';
  return `${count} ${noun}${count === 1 ? '' : ending}`;
}
