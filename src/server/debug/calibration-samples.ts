import { type Kysely, sql } from 'kysely';
import type { Database } from '#db/schema.ts';
import type { AnswerOutcome } from '#investigate/confidence/calibration.ts';
import { recalibrate } from '#investigate/confidence/calibration.ts';

/** Verdicts of people that are looked at, the newest first. */
const MAX_VERDICTS = 200;
/** A stated confidence promises a right file among so many first ones. */
const PROMISED_RANK = 3;

/**
 * What is known of answers about a project: the cases of its newest finished back-test, and what people said of its
 * debug sessions. Confidences are as they were before the project's own experience moved them.
 */
export async function loadCalibrationSamples(
  db: Kysely<Database>,
  projectId: string,
): Promise<AnswerOutcome[]> {
  const [backtest, verdicts] = await Promise.all([
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
      .select(sql<number>`(s.answer->>'confidence')::float8`.as('confidence'))
      .select(sql<number>`coalesce((s.answer->'calibration'->>'log_odds_offset')::float8, 0)`.as('shift'))
      .where(sql<boolean>`not (s.answer->>'abstained')::boolean`)
      .orderBy('f.id', 'desc')
      .limit(MAX_VERDICTS)
      .execute(),
  ]);
  const replayed = (backtest?.cases ?? []).map(({ confidence, files: { rank } }) => ({
    confidence,
    right: rank !== null && rank <= PROMISED_RANK,
  }));
  const judged = verdicts.map(({ helpful, confidence, shift }) => ({
    confidence: recalibrate(confidence, -shift),
    right: helpful,
  }));
  return [...replayed, ...judged];
}
