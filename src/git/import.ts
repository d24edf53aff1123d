import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { failpoint } from '#scheduling/failpoint.ts';
import { initRepository } from './packs.ts';
import { finishTransfer, type RemoteOptions, runInTurn, type UpstreamHead, withRemote } from './remote.ts';

/**
 * Brings a repository here for the first time: a bare repository at `into` with upstream's branches under
 * `refs/remotes/origin` and its tags. It is built beside `into` and renamed when complete, so that `into` is
 * either whole or absent. Throws AppError with a `reason` (`empty_repository`, `not_found_or_private`, …).
 */
export async function importRepository(options: RemoteOptions & { into: string }): Promise<UpstreamHead> {
  const { into } = options;
  if (existsSync(into)) {
    throw new AppError('conflict', 'already_imported', { reason: 'already_imported' });
  }
  const folder = dirname(into);
  const prefix = `${basename(into)}.import-`;
  await mkdir(folder, { recursive: true });
  await removeUnfinished(folder, prefix);
  const unfinished = await mkdtemp(join(folder, prefix));
  try {
    const upstream = await withRemote(options, async (remote) => {
      const found = await remote.readHead();
      const format = found.head.length === 64 ? 'sha256' : 'sha1';
      await initRepository(unfinished, { format, signal: options.signal });
      failpoint('import-created');
      await remote.fetchAll(unfinished);
      failpoint('import-fetched');
      return found;
    });
    const settled = await runInTurn(options, () =>
      finishTransfer(unfinished, options.branch ?? upstream.branch, options),
    );
    await rename(unfinished, into);
    failpoint('import-renamed');
    return settled;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** A run that was killed leaves its folder; only one import of a project runs at a time. */
async function removeUnfinished(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(prefix)) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
  }
}
