import { type Kysely, type RawBuilder, sql } from 'kysely';

/**
 * Renames columns and stored codes to the standard terms of the API.
 *
 * Documents are rewritten as text, in one UPDATE a table: PostgreSQL writes `jsonb` with the keys of an object sorted by
 * length, `"key": value`, and every quote inside a string escaped. So `"held": ` is always a key and never part of a text.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await renameColumns(db);
  await renameNotificationScopes(db);
  await renameCodes(db);
  await rewriteAnswers(db);
  await rewriteBacktests(db);
  await rewriteSettings(db);
}

type Replacements = Readonly<Record<string, string>>;

async function renameColumns(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table credentials rename column made_by to created_by;
    alter table project_hooks rename column last_at to last_delivery_at;
    alter table project_hooks rename column last_kind to last_event;
    alter table debug_resolutions rename column found to fixing_commit;
    alter table debug_resolutions rename column found_at to suggested_at;
    alter table subscriptions rename column trial_over to trial_end_notified;
    alter table backtests rename column figures to metrics;
    alter table users rename column news_sent_at to notification_email_sent_at;
    alter table chat_messages rename column standing to freshness;
    alter table chat_summaries rename column last_id to last_message_id;
    alter table egress_log rename column sent to bytes_sent;
    alter table egress_log rename column received to bytes_received;
    alter table egress_log rename column ms to duration_ms;
    alter table model_use rename to model_usage;
    alter table model_usage rename constraint model_use_pkey to model_usage_pkey;
    alter table one_time_secrets rename to one_time_tokens;
    alter table one_time_tokens rename constraint one_time_secrets_pkey to one_time_tokens_pkey;
    alter index one_time_secrets_of_user rename to one_time_tokens_of_user;
    alter index one_time_secrets_ended rename to one_time_tokens_expired;
    alter index users_leaving rename to users_pending_deletion;
  `.execute(db);
}

async function renameNotificationScopes(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users drop constraint users_notification_scope_check;
    update users set notification_scope = case notification_scope when 'everything' then 'all' else 'participating' end
      where notification_scope in ('everything', 'mine');
    alter table users
      alter column notification_scope set default 'participating',
      add check (notification_scope in ('all', 'participating', 'security'));
  `.execute(db);
}

const AUDIT_EVENTS: Replacements = {
  sign_in_ended: 'session_revoked',
  sign_ins_ended: 'sessions_revoked',
  sign_in_copied: 'refresh_token_reused',
  password_reset_asked: 'password_reset_requested',
  email_change_asked: 'email_change_requested',
  two_factor_on: 'two_factor_enabled',
  two_factor_off: 'two_factor_disabled',
  recovery_codes_made: 'recovery_codes_generated',
  deletion_asked: 'deletion_requested',
  deletion_taken_back: 'deletion_canceled',
  account_activated: 'account_reactivated',
  signup_changed: 'signup_mode_changed',
  signup_invited: 'signup_invitation_created',
  switched_on: 'feature_enabled',
  switched_off: 'feature_disabled',
  project_changed: 'project_updated',
  project_moved: 'project_url_changed',
  invitation_made: 'invitation_created',
  invitation_taken: 'invitation_accepted',
  invitation_withdrawn: 'invitation_revoked',
};

const TOKEN_PURPOSES: Replacements = {
  password: 'password_reset',
  email: 'email_verification',
  'second-factor': 'two_factor',
  social: 'oauth',
  export: 'data_export',
};

const DELIVERY_OUTCOMES: Replacements = { refreshing: 'refresh_queued', investigating: 'debug_queued' };

const NOTIFICATIONS: Replacements = {
  sign_in_copied: 'refresh_token_reused',
  two_factor_on: 'two_factor_enabled',
  two_factor_off: 'two_factor_disabled',
  account_kept: 'deletion_canceled',
  project_rewritten: 'history_rewritten',
};

const SKIP_REASONS: Replacements = {
  '"bad_name": ': '"invalid_path": ',
  '"long_path": ': '"path_too_long": ',
  '"over_cap": ': '"over_limit": ',
};

async function renameCodes(db: Kysely<unknown>): Promise<void> {
  await sql`
    update audit_events set event = ${lookUp('event', AUDIT_EVENTS)} where event in ${keysOf(AUDIT_EVENTS)};
    update audit_events set detail = ${replaced('detail', { '"service": ': '"provider": ', '"address": ': '"git_url": ' })}
      where detail ?| array['service', 'address'];
    update one_time_tokens set purpose = ${lookUp('purpose', TOKEN_PURPOSES)} where purpose in ${keysOf(TOKEN_PURPOSES)};
    update project_hooks set last_outcome = ${lookUp('last_outcome', DELIVERY_OUTCOMES)}
      where last_outcome in ${keysOf(DELIVERY_OUTCOMES)};
    update notifications set
      title = ${replaced('title', notificationCodes('title'))},
      message = ${replaced('message', notificationCodes('message'))};
    update projects set coverage = ${replaced('coverage', SKIP_REASONS)} where coverage is not null;
  `.execute(db);
}

function notificationCodes(part: 'title' | 'message'): Replacements {
  const code = (name: string) => `"notifications.event.${name}.${part}"`;
  return Object.fromEntries(Object.entries(NOTIFICATIONS).map(([from, to]) => [code(from), code(to)]));
}

const ANSWER: Replacements = {
  '"held": {"by": ': '"outcome": {"undone_by": ',
  '"held": {': '"outcome": {',
  '"state": "held"': '"state": "in_place"',
  '"state": "refixed"': '"state": "fixed_again"',
  '"state": "recent"': '"state": "too_recent"',
  '"kind": "birth"': '"kind": "introduced"',
  '"kind": "born"': '"kind": "introduced"',
  '"solved": ': '"earlier_answer": ',
  '"trust": {"shift": ': '"calibration": {"log_odds_offset": ',
  '"trust": null': '"calibration": null',
  '"standing": ': '"freshness": ',
  '"patch": "checked"': '"patch": "verified"',
  '"patch": "refused"': '"patch": "rejected"',
  '"written_by": ': '"model_run": ',
  '"debug.model.model_resting"': '"debug.model.model_unavailable"',
  '"debug.why.birth"': '"debug.why.introduced"',
  '"debug.why.birth_file"': '"debug.why.introduced_file"',
  '"debug.why.suspect_alike"': '"debug.why.suspect_similar"',
  '"debug.why.alike_seen"': '"debug.why.similar_seen"',
  '"debug.why.solved_alike"': '"debug.why.resolved_similar"',
  '"debug.why.solved_before"': '"debug.why.resolved_before"',
  '"debug.why.place_words"': '"debug.why.place_terms"',
  '"debug.why.now_nowhere"': '"debug.why.now_unlocated"',
};

async function rewriteAnswers(db: Kysely<unknown>): Promise<void> {
  await sql`
    update debug_sessions set answer = ${replaced('answer', ANSWER)};
    update debug_sessions set answer = answer
        || jsonb_build_object('calibration', jsonb_build_object(
             'log_odds_offset', answer->'calibration'->'log_odds_offset',
             'sample_count', answer->'calibration'->'outcomes'))
      where answer->'calibration' ? 'outcomes';
    update debug_sessions set answer = jsonb_set(answer, '{context,similar_errors}', (
        select jsonb_agg(
          case when error ? 'outcome'
            then error || jsonb_build_object('still_in_place', error->'outcome'->>'state' in ('in_place', 'too_recent'))
            else error end
          order by position)
        from jsonb_array_elements(answer->'context'->'similar_errors') with ordinality as e(error, position)))
      where jsonb_array_length(answer->'context'->'similar_errors') > 0;
  `.execute(db);
}

async function rewriteBacktests(db: Kysely<unknown>): Promise<void> {
  const metrics: Replacements = {
    '"cases": ': '"case_count": ',
    '"stated": ': '"mean_confidence": ',
    '"right": ': '"accuracy": ',
    '"error": ': '"expected_error": ',
  };
  await sql`
    update backtests set cases = ${replaced('cases', { '"right": ': '"expected": ' })};
    update backtests set metrics = ${replaced('metrics', metrics)} where metrics is not null;
  `.execute(db);
}

async function rewriteSettings(db: Kysely<unknown>): Promise<void> {
  const features: Replacements = {
    '"connecting": ': '"project_creation": ',
    '"saving": ': '"file_saving": ',
    '"hooks": ': '"webhooks": ',
  };
  await sql`
    update settings set key = 'feature_flags', value = ${replaced('value', features)} where key = 'switches';
  `.execute(db);
}

/** A `jsonb` column with each text replaced, in order. */
function replaced(column: string, replacements: Replacements): RawBuilder<unknown> {
  let text = sql`${sql.ref(column)}::text`;
  for (const [from, to] of Object.entries(replacements)) {
    text = sql`replace(${text}, ${sql.lit(from)}, ${sql.lit(to)})`;
  }
  return sql`(${text})::jsonb`;
}

/** A text column with each of the old codes exchanged for its new one. */
function lookUp(column: string, codes: Replacements): RawBuilder<unknown> {
  const cases = Object.entries(codes).map(([from, to]) => sql`when ${sql.lit(from)} then ${sql.lit(to)}`);
  return sql`case ${sql.ref(column)} ${sql.join(cases, sql` `)} else ${sql.ref(column)} end`;
}

function keysOf(codes: Replacements): RawBuilder<unknown> {
  return sql`(${sql.join(Object.keys(codes).map((code) => sql.lit(code)))})`;
}
