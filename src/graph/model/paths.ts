/** Paths below the root, with forward slashes; the root itself is the empty string. */
export function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

/** Undefined when it leads out of the root. */
export function join(base: string, relative: string): string | undefined {
  const segments = base === '' ? [] : base.split('/');
  for (const segment of relative.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join('/');
}

/** The directory itself, then the ones around it up to the root. */
export function upwards(directory: string): string[] {
  const all = [directory];
  for (let at = directory; at !== ''; all.push(at)) at = directoryOf(at);
  return all;
}

export function below(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}
