import { B, page } from '../../../src/packs/diagrams/drawings.fixture.ts';
import type { Payload } from '../daemon-home.ts';
import { deny, write } from './rows.ts';

export const DOC = 'docs/a.md';
export const drawn = (text = page(B), path = DOC, more: Payload = {}): Payload => write(path, text, more);
export const DENY = deny('diagrams/box-without-source');
export const options = (more: object) => ({ settings: { packs: { diagrams: more } } });
