import { stamp } from '../../engine/rule.ts';
import type { RecordCell } from '../../engine/rule.ts';
import { unescapeText } from '../../shell/output.ts';
import { hasBoxCharacters } from './drawing/drawing.ts';
import { recordedLines } from './drawing/provenance.ts';

/** Hashes of the box lines that one run printed. */
export interface Printed {
  /** The diagram tool; empty for any other program, whose output is quoted. */
  readonly tool: string;
  readonly lines: readonly string[];
}

const MOST_OUTPUTS = 50;

interface Ring {
  readonly output: RecordCell<Printed>;
  readonly outputs: RecordCell<number>;
}

/** Remembers what a run printed; the oldest output makes room. Lines that stand in the command itself prove nothing. */
export function keepOutput(
  { output, outputs }: Ring,
  printed: string,
  tool: string,
  command: string,
  ascii: boolean,
): void {
  const lines = recordedLines(printed, ascii, typedIn(command, ascii));
  if (lines.length === 0) return;
  const count = outputs.get() ?? 0;
  const name = stamp([tool, ...lines]);
  for (let at = 0; at < Math.min(count, MOST_OUTPUTS); at += 1) {
    const kept = output.get(String(at));
    if (kept && kept.lines.length === lines.length && stamp([kept.tool, ...kept.lines]) === name) return;
  }
  output.set({ tool, lines }, String(count % MOST_OUTPUTS));
  outputs.set(count + 1);
}

/** A command that is longer is compared as far as this. */
const MOST_TYPED = 64 * 1024;

/** Whether a line stands in a command, in whatever quotes and escapes, as a line or as a part of one. */
function typedIn(command: string, ascii: boolean): (line: string) => boolean {
  const start = command.slice(0, MOST_TYPED);
  const escaped = start.includes('\\') ? unescapeText(start) : '';
  const typed = `${start}\n${escaped}`;
  if (!hasBoxCharacters(typed, ascii)) return () => false;
  const bare = withoutQuoting(typed);
  return (line) => bare.includes(withoutQuoting(line));
}

/** Blanks go too: what is not quoted loses them. */
function withoutQuoting(text: string): string {
  return text.normalize('NFC').replaceAll(/[ \t'"\\]/g, '');
}

export interface PrintedLines {
  readonly all: ReadonlySet<string>;
  /** Those of diagram tools. */
  readonly drawn: ReadonlySet<string>;
}

export function printedLines({ output, outputs }: Ring): PrintedLines {
  const all = new Set<string>();
  const drawn = new Set<string>();
  const count = outputs.get() ?? 0;
  for (let at = 0; at < Math.min(count, MOST_OUTPUTS); at += 1) {
    const printed = output.get(String(at));
    for (const line of printed?.lines ?? []) {
      all.add(line);
      if (printed?.tool !== '') drawn.add(line);
    }
  }
  return { all, drawn };
}

export function forgetOutputs({ output, outputs }: Ring): void {
  const count = outputs.get() ?? 0;
  for (let at = 0; at < Math.min(count, MOST_OUTPUTS); at += 1) output.clear(String(at));
  outputs.clear();
}
