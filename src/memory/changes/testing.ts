import { parseDiff } from '#git/diff.ts';
import { git } from '#git/run.ts';
import type { TestRepository } from '#git/testing.ts';
import { terms } from '../tokens.ts';
import { bigramsOf } from './bigram-filter.ts';
import type { ChangeIndex } from './change-index.ts';
import { END_OF_POSTINGS, HunkCursor } from './hunk-postings.ts';
import { termKey } from './term-keys.ts';

/** Lists the changes of a term as `hash path -old +new side`, sorted, for tests. */
export function findTermChanges(hunks: ChangeIndex, term: string): string[] {
  const found: string[] = [];
  for (const block of hunks.blocks) {
    const postings = block.term(termKey(term))?.postings;
    if (!postings) continue;
    for (const cursor = new HunkCursor(postings); cursor.hunk !== END_OF_POSTINGS; cursor.next()) {
      const { oid, path, oldStart, oldLines, newStart, newLines } = block.locate(cursor.hunk);
      const where = `${oid} ${path} -${oldStart},${oldLines} +${newStart},${newLines}`;
      if (cursor.added > 0) found.push(`${where} added`);
      if (cursor.removed > 0) found.push(`${where} removed`);
    }
  }
  return found.sort();
}

/** A line that changed, as git's own patch shows it. */
export interface ChangedLine {
  file: string;
  side: 'added' | 'removed';
  line: number;
  text: string;
  terms: Set<number>;
}

/** Lists all changed lines of a history from git's own patches. */
export async function listChangedLines(repo: TestRepository): Promise<ChangedLine[]> {
  const run = (args: string[], revisions: string[]) => git(repo.path, args, { name: 'truth', revisions });
  const listed = await run(['rev-list', '--no-merges'], [await repo.head()]);
  const lines: ChangedLine[] = [];
  for (const oid of listed.stdout.toString().trim().split('\n')) {
    const patch = await run(['log', '-1', '-p', '-M', '--format=', '--no-ext-diff', '--no-textconv'], [oid]);
    for (const { old_path, new_path, hunks } of parseDiff(patch.stdout)) {
      const file = `${oid} ${new_path ?? old_path}`;
      for (const hunk of hunks) {
        let [before, after] = [hunk.old_start, hunk.new_start];
        for (const { kind, text } of hunk.lines) {
          const keys = new Set(terms(text).map(termKey));
          if (kind === 'add') lines.push({ file, side: 'added', line: after, text, terms: keys });
          if (kind === 'delete') lines.push({ file, side: 'removed', line: before, text, terms: keys });
          if (kind !== 'add') before++;
          if (kind !== 'delete') after++;
        }
      }
    }
  }
  return lines;
}

/** Lists the changed lines that their hunk's filter rejects, or that are not in the part of the patch with the hunk. */
export function listLostLines(hunks: ChangeIndex, lines: ChangedLine[]): ChangedLine[] {
  const readable = lines.filter(({ text }) => !text.includes('\ufffd'));
  const byFile = Map.groupBy(readable, ({ file, side }) => `${file} ${side}`);
  const found = new Set<ChangedLine>();
  for (const block of hunks.blocks) {
    for (let hunk = 0; hunk < block.count; hunk++) {
      const { oid, path, newStart, newLines, oldStart, oldLines } = block.locate(hunk);
      const added = byFile.get(`${oid} ${path} added`) ?? [];
      const removed = byFile.get(`${oid} ${path} removed`) ?? [];
      const own = [
        ...added.filter(({ line }) => line >= newStart && line < newStart + newLines),
        ...removed.filter(({ line }) => line >= oldStart && line < oldStart + oldLines),
      ];
      const bytes = block.patches.hunkBytes(block.commitOf(hunk), hunk);
      const rows = new Set(bytes.toString('utf8').split('\n'));
      for (const line of own) {
        const passes = block.mayContain(hunk, bigramsOf(line.text.trim()));
        const isIncluded =
          rows.has(`+${line.text}`) || rows.has(`-${line.text}`) || bytes.includes(line.text);
        if (passes && isIncluded) found.add(line);
      }
    }
  }
  return readable.filter((line) => !found.has(line));
}
