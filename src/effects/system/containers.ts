import type { ShellCommand } from '../../shell/command.ts';
import { ENGINE_GLOBAL, ENGINE_RUN } from '../../shell/containers.ts';
import { readOptions } from '../../shell/options.ts';
import { NONE } from '../words/arguments.ts';
import type { ReadEffects } from '../scene.ts';
import { systemEffect } from './effect.ts';

const STARTS = /^(?:run|create|exec)$/;
/** What of the host gives the machine to whoever has it: its root, its settings, its disks. */
const HOST_SOURCE = /^\/(?:$|\*|(?:etc|root|boot|proc|sys|dev)(?:\/|$))/;
const CAPABILITIES = /^(?:CAP_)?(?:ALL|SYS_ADMIN|SYS_MODULE|SYS_PTRACE|SYS_RAWIO|DAC_READ_SEARCH)$/i;
const DISK = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|dm-|mapper\/|disk|mem|kmem)/;
const HARMLESS_DEVICE =
  /^\/(?:dev\/(?:shm|null|zero|u?random|fuse|kvm|dri|snd|video|tty)|etc\/(?:localtime|timezone|hosts|resolv\.conf|ssl|pki|ca-certificates))/;

/** A container that has the host's root, disks or processes is no border. */
export const readContainerRights: ReadEffects = (command, scene) => {
  const started = startOf(command);
  if (!started) return NONE;
  const options = readOptions(started, { values: ENGINE_RUN.values, stopAtOperand: true });
  const said = (...names: readonly string[]) => options.values(...names).map(({ value }) => value);
  const sources = [
    ...said('-v', '--volume').map((value) => value.split(':', 1)[0] ?? ''),
    ...said('--mount').map((value) => /(?:^|,)(?:source|src)=([^,]*)/.exec(value)?.[1] ?? ''),
  ];
  const isOpen =
    options.has('--privileged') ||
    said('--pid', '--userns').includes('host') ||
    said('--cap-add').some((value) => CAPABILITIES.test(value)) ||
    said('--device').some((value) => DISK.test(value)) ||
    sources.some((path) => HOST_SOURCE.test(path) && !HARMLESS_DEVICE.test(path));
  return isOpen ? [systemEffect('privilege', 'this machine from within a container', command, scene)] : NONE;
};

/** What stands behind `run`, `container run` and the like. */
function startOf({ words }: ShellCommand): ShellCommand['words'] | undefined {
  const { operands } = readOptions(words.slice(1), ENGINE_GLOBAL);
  const behind = operands[0]?.value === 'container' ? operands.slice(1) : operands;
  return STARTS.test(behind[0]?.value ?? '') ? behind.slice(1) : undefined;
}
