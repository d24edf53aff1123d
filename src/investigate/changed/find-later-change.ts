import type { RepositoryIndex } from '#memory/repository-index.ts';
import { followRenames } from '../history/renames.ts';
import type { PlacedFrame } from '../locate/place-frames.ts';
import { openSourceReader } from '../locate/source-reader.ts';
import type { Trace } from '../trace/trace.ts';
import {
  type ChangedLine,
  commitsOfFile,
  findLineChange,
  type LineHistoryDeps,
} from './find-changed-line.ts';

interface LaterChangeInput extends LineHistoryDeps {
  trace: Pick<Trace, 'message'>;
  frames: readonly PlacedFrame[];
  /** Index of the newest revision; `index` is of an earlier one. */
  newest: RepositoryIndex;
}

/**
 * Finds the commit after a past revision that changed, removed or guarded the line that fails in it. Null where the line is as it
 * was, was only moved or rewritten, or where the newest revision does not follow the past one.
 */
export async function findLaterChange({
  trace: { message },
  frames,
  newest,
  index,
  ...source
}: LaterChangeInput): Promise<ChangedLine | null> {
  const failing = frames.find(({ depth, line, range }) => depth >= 0 && line !== null && !range);
  if (!failing || newest.commits.find(index.revision) < 0) return null;
  const { path, line, quote: text } = failing;
  const sources = openSourceReader(source.repo, newest, source.signal);
  try {
    const current = await sources.lines(path);
    if (!current) return null;
    const deps = { ...source, index: newest };
    const file = { path, current, renames: followRenames([path], newest.commits) };
    const oids = commitsOfFile(file, deps).map((commit) => newest.commits.oid(commit));
    const known = oids.findIndex((oid) => index.commits.find(oid) >= 0);
    const until = known < 0 ? oids.length : known;
    const found = await findLineChange({ ...file, text, message, isExact: true, until }, deps);
    return found && { path, line: line!, text, ...found };
  } finally {
    sources.close();
  }
}
