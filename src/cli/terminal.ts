import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { outgoing } from './outgoing.ts';

export async function askPerson(question: string): Promise<boolean> {
  return (await choosePerson(question)) === 'y';
}

/** Only an explicit yes is one. */
export async function choosePerson(question: string, other?: string): Promise<'y' | 'n' | 'other'> {
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const asked = prompt.question(`${outgoing(question)} [y/N${other === undefined ? '' : `/${other}`}] `);
    const reply = (await asked.catch(emptyAtEnd)).trim();
    if (other !== undefined && reply.toLowerCase() === other) return 'other';
    return /^y(es)?$/i.test(reply) ? 'y' : 'n';
  } finally {
    prompt.close();
  }
}

/** Who ends the input has said nothing, and what was done before the question stays done. */
function emptyAtEnd(error: unknown): string {
  if (error instanceof Error && error.message === 'Aborted with Ctrl+D') return '';
  throw error;
}

/** One of the words, or its first letter; whoever types nothing more means the last. */
export async function pickPerson(question: string, words: readonly string[]): Promise<string> {
  // Without an editor of its own it takes one line at a time: what is typed ahead is for the next question.
  const prompt = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
  const shown = words.map((word) => `[${word[0]}]${word.slice(1)}`).join(', ');
  const over = new Promise<string>((resolve) => prompt.once('close', () => resolve(words.at(-1) ?? '')));
  try {
    for (;;) {
      const typed = (await Promise.race([prompt.question(`${outgoing(question)} ${shown}: `), over]))
        .trim()
        .toLowerCase();
      const meant = words.find((word) => word === typed || word[0] === typed);
      if (meant !== undefined) return meant;
    }
  } finally {
    prompt.close();
  }
}

/** One line that is not shown while it is typed; empty when the person gave up. */
export async function askSecret(question: string): Promise<string> {
  const { stdin, stdout } = process;
  stdout.write(`${question} `);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: stdin, output: nowhere, terminal: true });
  try {
    return await new Promise((resolve) => {
      prompt.once('line', resolve);
      prompt.once('close', () => resolve(''));
    });
  } finally {
    prompt.close();
    stdout.write('\n');
  }
}

/** All of standard input, or what of it came within `limitMs`: whoever started us may never close it. */
export async function readStdin(limitMs?: number): Promise<string> {
  const { stdin } = process;
  const chunks: Uint8Array[] = [];
  const timer = limitMs === undefined ? undefined : setTimeout(() => stdin.destroy(), limitMs);
  try {
    for await (const chunk of stdin as AsyncIterable<Uint8Array>) chunks.push(chunk);
  } catch (error) {
    if (timer === undefined) throw error;
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
