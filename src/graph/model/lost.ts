/** Stands for all words of a file that was not looked through. */
export const ANY_WORD = '*';

/** Shorter words are in every text: of a file that was not read they are not kept, and may be in it. */
export const LEAST_WORD = 3;
