import { runHostProgram } from './host-program.ts';

/**
 * Removes a folder that a command has written to. `rm` descends by descriptors and so reaches paths of any length, and neither
 * program follows a link; folders without rights get them back first.
 */
export async function removeSandboxFolder(folder: string): Promise<void> {
  const removed = await runHostProgram(['rm', '-rf', '--', folder]);
  if (removed.exitCode === 0) return;
  await runHostProgram(['chmod', '-R', 'u+rwX', '--', folder]);
  await runHostProgram(['rm', '-rf', '--', folder]);
}
