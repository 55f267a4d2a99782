import { createInterface } from 'node:readline/promises';

/** Only an explicit yes is one. */
export async function askPerson(question: string): Promise<boolean> {
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const reply = await prompt.question(`${question} [y/N] `);
    return /^y(es)?$/i.test(reply.trim());
  } finally {
    prompt.close();
  }
}

export async function readStdin(): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
