/** Every colour of text has a contrast of 4.5:1 or more to every fill that it may stand on. */
export const COLOURS = {
  page: '#f6f8fb',
  card: '#ffffff',
  line: '#cfd7e2',
  ink: '#18212f',
  muted: '#4d5a6c',
  /** The symbol or part that a picture is about, and text on it. */
  focus: '#1e3a5f',
  onFocus: '#ffffff',
  onFocusMuted: '#cddaea',
  callers: '#1d5fb8',
  callees: '#0b6b62',
  tests: '#7a3fb0',
  possible: '#5f6b7c',
  cycle: '#b3261e',
} as const;

/** Soft fills for bands and marks; `ink`, `muted` and the coloured ones are readable on all of them. */
export const TINTS = {
  blue: '#eaf1fb',
  green: '#e6f4f1',
  violet: '#f3ecfa',
  amber: '#fbf3e4',
  red: '#fcebea',
  grey: '#edf0f5',
} as const;

export const FAMILY = "'DejaVu Sans', Verdana, Geneva, sans-serif";

/** In pixels; nothing is smaller than the last. */
export const SIZES = { title: 20, heading: 15, text: 13, small: 12 } as const;
