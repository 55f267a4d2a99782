/**
 * How the homes and processes of tests end. A part that several files share is imported once for all of them, so hooks
 * of its own would belong to the first file alone; `end-all.ts` runs these after each test and each file.
 */
export const afterEachTest: (() => Promise<void>)[] = [];
export const afterEachFile: (() => Promise<void>)[] = [];
