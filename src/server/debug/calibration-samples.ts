import { type Kysely, sql } from 'kysely';
import type { Database } from '#db/schema.ts';
import type { AnswerOutcome } from '#investigate/calibration.ts';
import { recalibrate } from '#investigate/calibration.ts';

/** Newest feedback rows that are used. */
const MAX_RATINGS = 200;
/** A confidence states the probability that a correct file has at most this rank. */
const MAX_CORRECT_RANK = 3;

/**
 * Outcomes of earlier answers about a project: the cases of its newest finished back-test and the feedback on its
 * sessions. Confidences are those before recalibration.
 */
export async function loadCalibrationSamples(
  db: Kysely<Database>,
  projectId: string,
): Promise<AnswerOutcome[]> {
  const [backtest, ratings] = await Promise.all([
    db
      .selectFrom('backtests')
      .select('cases')
      .where('project_id', '=', projectId)
      .where('state', '=', 'done')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
    db
      .selectFrom('feedback as f')
      .innerJoin('debug_sessions as s', 's.id', 'f.session_id')
      .where('f.project_id', '=', projectId)
      .select('f.helpful')
      // Older answers state the confidence in the place alone.
      .select(
        sql<number>`coalesce((s.answer->>'place_confidence')::float8, (s.answer->>'confidence')::float8)`.as(
          'confidence',
        ),
      )
      .select(
        sql<number>`coalesce((s.answer->'calibration'->>'log_odds_offset')::float8, 0)`.as('logOddsOffset'),
      )
      .where(sql<boolean>`not (s.answer->>'abstained')::boolean`)
      .orderBy('f.id', 'desc')
      .limit(MAX_RATINGS)
      .execute(),
  ]);
  const replayed = (backtest?.cases ?? []).map(({ confidence, files: { rank } }) => ({
    confidence,
    isRight: rank !== null && rank <= MAX_CORRECT_RANK,
  }));
  const rated = ratings.map(({ helpful, confidence, logOddsOffset }) => ({
    confidence: recalibrate(confidence, -logOddsOffset),
    isRight: helpful,
  }));
  return [...replayed, ...rated];
}
