import type { CommitTable } from '../memory.ts';
import { lowerBound } from './build-commits.ts';
import { openDictionary } from './dictionary.ts';
import type { ShardFile } from './format.ts';
import { type Groups, groupOf } from './growing.ts';
import { openIndex } from './postings.ts';
import { openStrings } from './strings.ts';

/** The commits file of a shard as a table. */
export function openCommits(file: ShardFile): CommitTable {
  const width = file.number('oidBytes');
  const oids = file.u8('oids');
  const hex = Buffer.from(oids.buffer, oids.byteOffset, oids.byteLength);
  const order = file.u32('oidOrder');
  const times = file.f64('times');
  const authorOf = file.u32('authorOf');
  const authors = openStrings(file, 'authors');
  const messages = openStrings(file, 'messages');
  const parents = openGroups(file, 'parents');
  const paths = openDictionary(file, 'paths');
  const touching = openGroups(file, 'touching');
  const starts = file.u32('changes.starts');
  const letters = file.u8('changes.statuses');
  const statuses = Buffer.from(letters.buffer, letters.byteOffset, letters.byteLength);
  const changes = { starts, values: file.u32('changes.paths') };
  const oldPaths = { starts, values: file.u32('changes.oldPaths') };
  const oid = (commit: number) => hex.toString('hex', commit * width, (commit + 1) * width);
  const who = (commit: number) => authors.get(authorOf[commit]!).split('\n');
  return {
    count: times.length,
    oid,
    find: (hash) => {
      if (!/^[0-9a-f]{7,64}$/.test(hash) || hash.length > width * 2) return -1;
      const place = lowerBound(oids, width, order, Buffer.from(hash.slice(0, hash.length & ~1), 'hex'));
      const found: number[] = [];
      for (let i = place; i < order.length && found.length < 2; i++) {
        const candidate = oid(order[i]!);
        if (candidate.startsWith(hash)) found.push(order[i]!);
        else if (candidate > hash) break;
      }
      return found.length === 1 ? found[0]! : -1;
    },
    time: (commit) => times[commit]!,
    author: (commit) => who(commit)[0]!,
    email: (commit) => who(commit)[1]!,
    subject: (commit) => subjectOf(messages.get(commit)),
    message: (commit) => messages.get(commit),
    parents: (commit) => [...groupOf(parents, commit)],
    paths: (commit) => groupOf(changes, commit),
    oldPaths: (commit) => groupOf(oldPaths, commit),
    statuses: (commit) => statuses.toString('latin1', starts[commit], starts[commit + 1]),
    pathCount: paths.count,
    path: paths.get,
    pathNumber: paths.find,
    touching: (path) => groupOf(touching, path),
    messages: openIndex(file, 'message', 'terms'),
  };
}

/** Groups that were written as `<name>.starts` and `<name>.values`. */
export function openGroups(file: ShardFile, name: string): Groups {
  return { starts: file.u32(`${name}.starts`), values: file.u32(`${name}.values`) };
}

/** As git's `%s`: the first paragraph on one line. */
function subjectOf(message: string): string {
  return message
    .trimStart()
    .split(/\n\s*\n/, 1)[0]!
    .replace(/\s*\n\s*/g, ' ')
    .trimEnd();
}
