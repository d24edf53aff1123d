import { type Kysely, sql } from 'kysely';
import type { Database } from '#db/schema.ts';
import type { AnswerOutcome } from '#investigate/calibration.ts';
import { recalibrate } from '#investigate/calibration.ts';

/** Newest feedback rows that are used. */
const MAX_RATINGS = 200;
/** A confidence states the probability that a correct file has at most this rank. */
const MAX_CORRECT_RANK = 3;

/** Confidence of a session's answer before recalibration needs both; older answers state that of the place alone. */
const STATED = [
  sql<number>`coalesce((s.answer->>'place_confidence')::float8, (s.answer->>'confidence')::float8)`.as(
    'confidence',
  ),
  sql<number>`coalesce((s.answer->'calibration'->>'log_odds_offset')::float8, 0)`.as('logOddsOffset'),
] as const;

/**
 * Outcomes of earlier answers about a project: the cases of its newest finished back-test, the places that members marked as
 * right, and the feedback on its sessions. Confidences are those before recalibration.
 */
export async function loadCalibrationSamples(
  db: Kysely<Database>,
  projectId: string,
): Promise<AnswerOutcome[]> {
  const [backtest, labelled, ratings] = await Promise.all([
    db
      .selectFrom('backtests')
      .select('cases')
      .where('project_id', '=', projectId)
      .where('state', '=', 'done')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
    db
      .selectFrom('debug_labels as l')
      .innerJoin('debug_sessions as s', 's.id', 'l.session_id')
      .where('l.project_id', '=', projectId)
      .where('l.place', 'is not', null)
      .select(STATED)
      .select(
        sql<boolean>`coalesce(jsonb_path_query_array(s.answer, '$.places[0 to 2].path') @> (l.place->'path'), false)`.as(
          'isRight',
        ),
      )
      .where(sql<boolean>`not (s.answer->>'abstained')::boolean`)
      .orderBy('l.created_at', 'desc')
      .limit(MAX_RATINGS)
      .execute(),
    db
      .selectFrom('feedback as f')
      .innerJoin('debug_sessions as s', 's.id', 'f.session_id')
      .where('f.project_id', '=', projectId)
      .select('f.helpful')
      .select(STATED)
      // A mark on the place says more than a rating of the answer.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('debug_labels as l')
              .whereRef('l.session_id', '=', 'f.session_id')
              .whereRef('l.user_id', '=', 'f.user_id')
              .where('l.place', 'is not', null),
          ),
        ),
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
  const marked = labelled.map(({ isRight, confidence, logOddsOffset }) => ({
    confidence: recalibrate(confidence, -logOddsOffset),
    isRight,
  }));
  return [...replayed, ...marked, ...rated];
}
