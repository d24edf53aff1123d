import { git } from './run.ts';

const KIBIBYTE = 1024;

/** Size of the objects of a repository on disk, packed and loose, in bytes. */
export async function repositoryBytes(repo: string): Promise<number> {
  const { stdout } = await git(repo, ['count-objects', '-v'], { name: 'count-objects' });
  const sizes = stdout.toString().matchAll(/^(?:size|size-pack|size-garbage): (\d+)$/gm);
  return [...sizes].reduce((sum, [, size]) => sum + Number(size), 0) * KIBIBYTE;
}
