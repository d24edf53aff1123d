import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Investigation, investigate } from '../../src/investigate/investigate.ts';
import type { KindEvidence } from '../../src/investigate/kind/error-kind.ts';
import { closeChangeIndex, openChangeIndex } from '../../src/memory/changes/change-index.ts';
import type { RepositoryIndex } from '../../src/memory/repository-index.ts';
import { type LabelledError, readErrors } from '../error-sets.ts';
import { findRepository } from '../options.ts';
import { openQuestionIndex } from '../question-index.ts';

const DAY = 86_400;

/** A labelled error with the evidence of its kind. */
export interface MeasuredError {
  id: string;
  set: string;
  repository: string;
  label: LabelledError['kind'];
  evidence: KindEvidence;
}

interface MeasureOptions<T> {
  sets: readonly string[];
  /** Folder of the repositories. */
  folder: string;
  cache?: string | undefined;
  /** Keeps what was measured, one JSON object a line; errors that it lacks are measured and added. */
  file?: string | undefined;
  isWanted?(error: { repository: string }): boolean;
  /** Further fields of a row; the investigation is dated a day after the revision of the error. */
  select(found: Investigation, error: LabelledError, index: RepositoryIndex): T;
}

/** Investigates the errors of some sets, those of one revision after another. */
export async function measureErrors<T extends object>(
  options: MeasureOptions<T>,
): Promise<(MeasuredError & T)[]> {
  const { sets, file, isWanted = () => true } = options;
  const known = file && existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean) : [];
  const rows = known.map((line) => JSON.parse(line) as MeasuredError & T);
  // Sets name their errors independently.
  const keyOf = (name: string, id: string) => `${name}/${id}`;
  const measured = new Map(rows.map((row) => [keyOf(row.set, row.id), row]));
  for (const set of sets) {
    const missing = readErrors(set).filter((error) => isWanted(error) && !measured.has(keyOf(set, error.id)));
    const groups = Map.groupBy(missing, ({ repository, revision }) => `${repository} ${revision}`);
    for (const group of groups.values())
      for (const row of await measureRevision(set, group, options)) measured.set(keyOf(set, row.id), row);
    if (file) writeFileSync(file, [...measured.values()].map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
  return [...measured.values()].filter(isWanted);
}

async function measureRevision<T extends object>(
  set: string,
  errors: LabelledError[],
  { folder, cache, select }: MeasureOptions<T>,
): Promise<(MeasuredError & T)[]> {
  const { repository, revision } = errors[0]!;
  const repo = findRepository(folder, repository);
  const { index, hunks } = await openQuestionIndex(repo, revision, { name: repository, cache });
  const now = new Date(1000 * (index.commits.time(index.commits.find(revision)) + DAY)).toISOString();
  const rows: (MeasuredError & T)[] = [];
  for (const error of errors) {
    const deps = { repo, index, hunks: openChangeIndex(hunks), sessions: [], now };
    const found = await investigate(error, deps);
    const measured = { id: error.id, set, repository, label: error.kind, evidence: found.kindEvidence };
    rows.push({ ...measured, ...select(found, error, index) });
  }
  closeChangeIndex(hunks);
  return rows;
}
