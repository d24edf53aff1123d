import { type Kysely, sql } from 'kysely';

/** Kinds of errors get the names of the API: stored answers are renamed, and the generated column follows them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table debug_sessions drop column kind;
    update debug_sessions set answer = jsonb_set(answer, '{kind}', to_jsonb(
      case answer->>'kind'
        when 'defect' then 'regression'
        when 'raised_on_purpose' then 'guard'
        when 'caller' then 'usage'
        when 'other_project' then 'foreign'
        when 'unclear' then 'vague'
      end))
    where answer->>'kind' in ('defect', 'raised_on_purpose', 'caller', 'other_project', 'unclear');
    set constraints all immediate;
    alter table debug_sessions add column kind text generated always as (
      case
        when answer->>'kind' = 'regression' and jsonb_typeof(answer->'cause_confidence') is distinct from 'number'
          then 'defect'
        else answer->>'kind'
      end
    ) stored`.execute(db);
}
