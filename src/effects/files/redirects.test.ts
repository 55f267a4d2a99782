import { describe, expect, it } from 'vitest';
import { readRedirects } from './redirects.ts';
import { effectsBy, lineOf } from '../scene.fixture.ts';

describe('readRedirects', () => {
  it.each<readonly [string, ...string[]]>([
    ['echo x > a.txt', 'overwrite:redirect a.txt @inside'],
    ['echo x >> .env', 'write:append .env @inside secret'],
    ['make &> build.txt', 'overwrite:redirect build.txt @inside'],
    ['make 2> errors.txt', 'overwrite:redirect errors.txt @inside'],
    ['> a.txt', 'truncate:redirect a.txt @inside'],
    [': > a.txt', 'truncate:redirect a.txt @inside'],
    ['cat /dev/null > a.txt', 'truncate:redirect a.txt @inside'],
    ['echo x > /etc/hosts', 'overwrite:redirect /etc/hosts @system'],
    ['cat image > /dev/sda', 'destroy-disk:redirect /dev/sda @device'],
    ['echo x > "$FILE"', 'overwrite:redirect "$FILE" @unknown'],
    ['echo x > /dev/null 2>&1'],
    ['echo x > /dev/tcp/host/80'],
    ['echo AT > /dev/ttyUSB0'],
    ['cat < a.txt'],
    ["echo 'a > b'"],
  ])('%s', (text, ...lines) => {
    expect(effectsBy(readRedirects, text).map(lineOf)).toEqual(lines);
  });
});
