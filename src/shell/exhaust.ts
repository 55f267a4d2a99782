import type { ArithmeticFor, While } from 'unbash';
import type { Shell } from './state.ts';

export function readLoopExhaustion(_loop: While | ArithmeticFor, _shell: Shell): void {}
