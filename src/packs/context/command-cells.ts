import { record } from '../../engine/rule.ts';

/**
 * Cells that commands set and rules read. Their owner is the workspace of the directory they were called in; what is about
 * one context is keyed by the directory that holds it, from the root of the workspace.
 */

/** Work was saved: for a while, which an option sets, nobody needs to be told to. Keyed by context. */
export const WRAPPED_UP = record<{ readonly at: number; readonly session?: string }>('context.wrapped_up', {
  scope: 'workspace',
  ttl: '7d',
});

/** When a person last looked at a file whose facts age; keyed by its path from the directory that holds `.context`. */
export const REVIEWS = record<{ readonly at: number }>('context.reviews', { scope: 'workspace' });

/** The highest id that a reminder was ever given, so that none is given twice. */
export const LAST_REMINDER = record<number>('context.last_reminder', { scope: 'workspace' });

/** This user made the required files with `context init`, so they did not come with a repository; keyed by context. */
export const MADE_HERE = record<{ readonly at: number }>('context.made_here', { scope: 'workspace' });
