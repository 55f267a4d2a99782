import { expect, it } from 'vitest';
import { Unseen } from './world.ts';

it('says why nobody looked where Node was told to freeze what all code shares', () => {
  const usual = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit') ?? {};
  Object.defineProperty(Error, 'stackTraceLimit', { ...usual, writable: false });
  try {
    expect(new Unseen('a reason').message).toBe('a reason');
  } finally {
    Object.defineProperty(Error, 'stackTraceLimit', usual);
  }
});
