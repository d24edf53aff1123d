import { type RawBuilder, sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import { getPlan } from '#contract/plans.ts';
import type { Deps } from '../deps.ts';

type PlanAccessDeps = Pick<Deps, 'config' | 'now'>;

/**
 * True for a project beyond the limit of its owner's plan: of the owned projects, those that the owner has chosen stay
 * writable, then the newest. `projectId` is a column. Derived at each call, so that a plan that ends or begins acts at
 * once; the plan as `effectivePlan` has it.
 */
export function readOnlyByPlan({ config, now }: PlanAccessDeps, projectId: string): RawBuilder<boolean> {
  return config.razorpay === null ? sql<boolean>`false` : isBeyondPlan(now(), projectId);
}

/** `readOnlyByPlan` where plans limit projects. */
export function isBeyondPlan(now: Date, projectId: string): RawBuilder<boolean> {
  const at = sql`${now}::timestamptz`;
  const [free, pro] = [getPlan('free').limits.projects, getPlan('pro').limits.projects];
  return sql<boolean>`exists (
    select from project_members o
      join users u on u.id = o.user_id
      left join subscriptions s on s.user_id = o.user_id
      left join writable_projects kept on kept.project_id = o.project_id and kept.user_id = o.user_id
    where o.project_id = ${sql.ref(projectId)} and o.direct_role = 'owner' and u.subscription_plan <> 'enterprise'
      and (
        select count(*) from project_members other
          left join writable_projects w on w.project_id = other.project_id and w.user_id = other.user_id
        where other.user_id = o.user_id and other.direct_role = 'owner'
          and (w.project_id is not null, other.project_id) > (kept.project_id is not null, o.project_id)
      ) >= case
        when u.subscription_plan = 'pro' and not coalesce(s.plan = 'pro' and s.expires_at <= ${at}, false)
          or s.trial_ends_at > ${at} then ${pro}::integer
        else ${free}::integer
      end
  )`;
}

/** True while the plan of a project's owner allows no changes of it. */
export async function isReadOnlyByPlan(
  deps: PlanAccessDeps & Pick<Deps, 'db'>,
  projectId: string,
): Promise<boolean> {
  if (deps.config.razorpay === null) return false;
  const row = await deps.db
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .where(readOnlyByPlan(deps, 'projects.id'))
    .executeTakeFirst();
  return row !== undefined;
}

/** Error of a change to a project that its owner's plan has made read-only. */
export function projectReadOnlyByPlan(): AppError {
  return new AppError('plan_limit', 'project_read_only_by_plan', { reason: 'plan_read_only' });
}
