/** Of what a manifest says, as far as it is what one expects. */
export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

/** The paths that tables have. */
export function pathsIn(values: readonly unknown[]): string[] {
  return values.flatMap((value) => string(record(value)['path']) ?? []);
}
