/**
 * A reflog as it was, followed by what came to it since. Lines count as the same whatever commit they say was there before:
 * git changes that where it takes lines out.
 */
export function mergeLogs(saved: string, now: string): string {
  const left = new Map<string, number>();
  for (const line of linesOf(saved)) left.set(keyOf(line), (left.get(keyOf(line)) ?? 0) + 1);
  const added = linesOf(now).filter((line) => {
    const count = left.get(keyOf(line)) ?? 0;
    left.set(keyOf(line), count - 1);
    return count <= 0;
  });
  return [...linesOf(saved), ...added].map((line) => `${line}\n`).join('');
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

function keyOf(line: string): string {
  return line.slice(line.indexOf(' ') + 1);
}
