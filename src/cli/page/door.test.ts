import { describe, expect, it } from 'vitest';
import { createDoor } from './door.ts';

const PORT = 4242;
const here = { host: `127.0.0.1:${PORT}` };

describe('a ticket', () => {
  it('lets one browser in, once', () => {
    const door = createDoor(PORT, () => 0);
    const ticket = door.ticket();
    const key = door.enter(ticket);
    expect(door.knows({ authorization: `Page ${key}` })).toBe(true);
    expect(door.enter(ticket)).toBeUndefined();
  });

  it('is of no use after two minutes', () => {
    let now = 0;
    const door = createDoor(PORT, () => now);
    const ticket = door.ticket();
    now = 120_001;
    expect(door.enter(ticket)).toBeUndefined();
  });

  it('is for its own page', () => {
    const [one, other] = [createDoor(PORT, () => 0), createDoor(PORT + 1, () => 0)];
    expect(other.enter(one.ticket())).toBeUndefined();
    expect(other.knows({ authorization: `Page ${one.enter(one.ticket())}` })).toBe(false);
  });
});

it('knows its own place and no other', () => {
  const door = createDoor(PORT, () => 0);
  expect(door.isHere(here)).toBe(true);
  for (const host of ['127.0.0.1', `example.com:${PORT}`, `127.0.0.1:${PORT}.example.com`, undefined])
    expect(door.isHere(host === undefined ? {} : { host })).toBe(false);
});

it('knows no browser by an empty key', () => {
  const door = createDoor(PORT, () => 0);
  door.enter(door.ticket());
  for (const authorization of ['Page ', 'Page undefined', 'Page', ''])
    expect(door.knows({ authorization })).toBe(false);
  expect(door.knows({})).toBe(false);
});
