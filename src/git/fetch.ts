import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { finishTransfer, type RemoteOptions, runInTurn, type UpstreamHead, withRemote } from './remote.ts';

/**
 * Brings an imported repository up to date with its upstream, following a renamed default branch. The caller
 * holds the project's lock. An upstream that has become empty throws `empty_repository` and changes nothing here.
 */
export async function fetchUpstream(options: RemoteOptions & { repo: string }): Promise<UpstreamHead> {
  await removeStaleLocks(options.repo);
  const upstream = await withRemote(options, async (remote) => {
    const found = await remote.readHead();
    await remote.fetchAll(options.repo);
    return found;
  });
  return await runInTurn(options, () =>
    finishTransfer(options.repo, options.branch ?? upstream.branch, options),
  );
}

/** Written by fetch and upkeep alone, which the project's lock keeps apart; `refs/heads` is locked by others. */
const LOCKED_FOLDERS = ['', 'refs/remotes', 'refs/tags', 'objects/info', 'objects/pack'];

/** A git that was killed leaves `*.lock` files that would block every later fetch, and half-written packs. */
async function removeStaleLocks(repo: string): Promise<void> {
  for (const folder of LOCKED_FOLDERS) {
    const recursive = folder !== '';
    const entries = await readdir(join(repo, folder), { recursive, withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.isFile() && (entry.name.endsWith('.lock') || entry.name.startsWith('tmp_'))) {
        await rm(join(entry.parentPath, entry.name), { force: true });
      }
    }
  }
}
