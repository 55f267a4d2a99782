import { describe, expect, it } from 'vitest';
import { read } from './reading.fixture.ts';

describe('what exhausts a machine', () => {
  it.each([
    ':(){ :|:& };:',
    'bomb() { bomb | bomb & }; bomb',
    'bomb(){ bomb & }; bomb',
    'f(){ f|f; }; f',
    'a(){ b & }; b(){ a; }; a',
    'a(){ b; }; b(){ c & }; c(){ a; }; a',
    'while true; do work & done',
    'while :; do work & done',
    'while [[ 1 ]]; do work & done',
    'while [ 1 ]; do work & done',
    'while ((1)); do work & done',
    'until false; do work & done',
    'until /usr/bin/false; do work & done',
    'while ! false; do work & done',
    'for ((;;)); do work & done',
    'for ((i=0;;i++)); do work & done',
    'while true; do { work & } done',
    'while true; do (work &) done',
    'while true; do work & (wait); done',
    'while true; do work & wait; work & done',
    'while true; do work & if false; then wait; fi; done',
    'while true; do work & false && break; done',
    'while true; do wait; work & disown; done',
    'f(){ work & }; while true; do f; done',
    "bash -c ':(){ :|:& };:'",
    'eval "while true; do work & done"',
  ])('%s', (text) => {
    expect(read(text).exhausts).not.toEqual([]);
  });

  it.each([
    'while true; do work; done',
    'while true; do work & wait; done',
    'while true; do work & wait "$!"; done',
    'while true; do wait; work & done',
    'while true; do (work & wait); done',
    'while true; do work & sleep 1; done',
    'while true; do work & exit; done',
    'while true; do work & [ -f stop ] && break; done',
    'while true; do work & if test -f stop; then break; fi; done',
    'while read x; do work & done',
    'for i in 1 2 3; do work & done',
    'for ((i=0; i<3; i++)); do work & done',
    'while true; do work; done &',
    "echo ':(){ :|:& };:'",
    "git commit -m 'while true; do work & done'",
    'cat <<E\n:(){ :|:& };:\nE',
    'bomb(){ bomb & }; ls',
    'f(){ f; }; f &',
    'a(){ b; }; b(){ a; }; a',
    'a(){ b & }; a; b(){ a; }',
    'walk(){ ls "$1" | while read d; do walk "$d"; done; }; walk .',
  ])('not %s', (text) => {
    expect(read(text).exhausts).toEqual([]);
  });
});
