import { type Kysely, sql } from 'kysely';
import type { SimilarErrorGroup } from '#contract/error-merging.ts';
import type { Database } from '#db/schema.ts';
import { messageShape } from '#intake/message-shape.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { isVisibleError } from '../project-data/visible-errors.ts';
import { findErrorGroup } from './error-groups.ts';

const MAX_SIMILAR = 5;
/** Errors of the same type or file that are compared, last seen first. */
const MAX_CANDIDATES = 300;
/** The type with half of the words, or the function with some of them. */
const MIN_SCORE = 0.5;
const WEIGHTS = { type: 0.35, message: 0.35, function: 0.3, file: 0.2 };
/** Share of the words from which messages count as alike. */
const MIN_SHARED_WORDS = 0.5;

interface ErrorText {
  title: string;
  culprit: string | null;
}

interface Features {
  type: string | null;
  words: Set<string>;
  function: string | null;
  file: string | null;
}

/** Finds errors of the project that resemble one by type, message and place, most similar first. */
export async function findSimilarErrors(
  db: Kysely<Database>,
  userId: string,
  { projectId, errorId }: { projectId: string; errorId: string },
): Promise<SimilarErrorGroup[]> {
  const error = await db
    .selectFrom('debug_groups')
    .select(['title', 'culprit'])
    .where('id', '=', errorId)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (!error) return [];
  const features = toFeatures(error);
  const start = features.type === null ? (error.title.split(/\s/, 1)[0] ?? '') : `${features.type}:`;
  const { rows } = await sql<ErrorText & { id: string }>`
    select g.id, g.title, g.culprit from debug_groups g
    where g.project_id = ${projectId} and g.id <> ${errorId} and ${isVisibleError(userId)}
      and (starts_with(g.title, ${start}) or (${features.file}::text is not null and right(g.culprit, ${features.file?.length ?? 0}) = ${features.file}))
    order by g.last_seen desc limit ${MAX_CANDIDATES}`.execute(db);
  const scored = [];
  for (const row of rows) {
    await yieldIfDue();
    scored.push({ id: row.id, ...compare(features, toFeatures(row)) });
  }
  const best = scored
    .filter(({ score }) => score >= MIN_SCORE)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_SIMILAR);
  const found = await Promise.all(
    best.map(async ({ id, shared }) => ({
      error: await findErrorGroup(db, userId, { projectId, errorId: id }),
      shared,
    })),
  );
  return found.filter((one): one is SimilarErrorGroup => one.error !== null);
}

/** Type and words of a title, and function and file of a place: `load · shop/cart.py`. */
function toFeatures({ title, culprit }: ErrorText): Features {
  const [, type = null, message = title] = /^([\w.$\\:]{1,120}): ([\s\S]*)$/.exec(title) ?? [];
  const words = messageShape(message).match(/[\p{L}_]{2,}/gu) ?? [];
  const [file = null, symbol = null] = culprit?.split(' · ').reverse() ?? [];
  return { type, words: new Set(words), function: symbol, file };
}

function compare(a: Features, b: Features): { score: number; shared: SimilarErrorGroup['shared'] } {
  const isSame = (field: 'type' | 'function' | 'file') => a[field] !== null && a[field] === b[field];
  const common = [...a.words].filter((word) => b.words.has(word)).length;
  const words = common / Math.max(1, a.words.size + b.words.size - common);
  const shared: SimilarErrorGroup['shared'] = [
    ...(isSame('type') ? (['type'] as const) : []),
    ...(words >= MIN_SHARED_WORDS ? (['message'] as const) : []),
    ...(isSame('file') ? [isSame('function') ? ('function' as const) : ('file' as const)] : []),
  ];
  const score = shared.reduce((sum, one) => sum + WEIGHTS[one] * (one === 'message' ? words : 1), 0);
  return { score, shared };
}
