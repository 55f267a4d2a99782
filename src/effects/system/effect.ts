import type { Effect } from '../../event/effect.ts';
import type { ShellCommand } from '../../shell/command.ts';
import type { Scene } from '../scene.ts';

/** A change of the machine itself; `target` is named as in ``useradd` changes …`. */
export function systemEffect(how: string, target: string, command: ShellCommand, scene: Scene): Effect {
  return scene.effect(command, { kind: 'system', how, target });
}
