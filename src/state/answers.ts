/** Deliveries remembered: more than any agent has under way at once. */
export const MAX_ANSWERS = 1_000;

export interface Answers {
  get(delivery: string): string | undefined;
  keep(delivery: string | undefined, answer: string | undefined): void;
}

/** The newest answers, by delivery. */
export function createAnswers(): Answers {
  const answers = new Map<string, string>();
  return {
    get: (delivery) => answers.get(delivery),
    keep(delivery, answer) {
      if (delivery === undefined || answer === undefined) return;
      answers.set(delivery, answer);
      if (answers.size <= MAX_ANSWERS * 2) return;
      for (const oldest of answers.keys()) {
        if (answers.size <= MAX_ANSWERS) break;
        answers.delete(oldest);
      }
    },
  };
}
