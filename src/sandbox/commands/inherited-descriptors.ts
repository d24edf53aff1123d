import { readdirSync, readFileSync } from 'node:fs';

const O_CLOEXEC = 0o2000000;

/**
 * Open descriptors of this process that a started program inherits, standard streams excepted: those that its own parent left
 * open, such as a folder of the host. Node opens none of this kind itself.
 */
export function listInheritedDescriptors(): number[] {
  return readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && isInherited(descriptor));
}

function isInherited(descriptor: number): boolean {
  try {
    const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1');
    const [, flags = '0'] = /^flags:\s+([0-7]+)$/m.exec(info) ?? [];
    return (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    // It was the one by which the folder was read.
    return false;
  }
}
