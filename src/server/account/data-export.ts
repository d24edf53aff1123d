import { access } from 'node:fs/promises';
import { sql } from 'kysely';
import { bundleBranch } from '#git/bundle.ts';
import type { Deps } from '../deps.ts';
import { safeFileName, type ZipEntry } from './zip.ts';

type ExportDeps = Pick<Deps, 'db' | 'projectFiles'>;

/** Rows per query. Small because a single stored answer can be 1 MB. */
const PAGE_SIZE = 20;

/** Newest error events of each project that its owner's export contains; older ones repeat the same errors. */
const MAX_EXPORTED_EVENTS = 1_000;

/**
 * File names and the queries that fill them. Digests, sealed secrets and content written by other users are
 * excluded.
 */
const EXPORT_QUERIES = {
  'profile.json': `select id, username, email, full_name, bio, location, website, role, subscription_plan,
      email_verified_at, email_notifications, push_notifications, notification_scope, email_frequency, local_editor, theme, language, external_id, scim_user_name, created_at
    from users where id = $user`,
  'sign-ins.json': `select user_agent, created_at, greatest(last_seen, rotated_at) as last_used_at, expires_at, revoked_at
    from sessions where user_id = $user order by id`,
  'connected-accounts.json': `select provider, subject, name, created_at
    from identities where user_id = $user order by provider`,
  'api-keys.json': `select name, prefix, scope, project_id, created_at, expires_at, last_used_at, revoked_at
    from api_keys where user_id = $user order by id`,
  'security-events.json': `select event, ip, device, detail, created_at
    from audit_events where user_id = $user order by id`,
  'notifications.json': `select type, title->>'text' as title, message->>'text' as message, action_url, created_at, read_at
    from notifications where user_id = $user and deleted_at is null order by id`,
  'projects.json': `select p.id, p.name, p.git_url, p.description, p.branch, p.indexed_commit, p.created_at, p.chosen_branch,
      p.refresh_hours, p.excluded_paths, p.model_excluded_paths, p.path_mappings, p.instructions, p.may_run, p.setup_command,
      p.setup_hosts, p.check_command, m.role
    from projects p join project_members m on m.project_id = p.id
    where m.user_id = $user order by p.id`,
  'debug-sessions.json': `select s.id, s.project_id, s.number, s.title, s.request, s.answer, s.created_at
    from debug_sessions s where s.user_id = $user order by s.id`,
  'feedback.json': `select project_id, session_id, helpful, comments, created_at
    from feedback where user_id = $user order by id`,
  'answer-marks.json': `select project_id, session_id, commit, place, created_at
    from debug_labels where user_id = $user order by project_id, session_id`,
  'assigned-errors.json': `select project_id, id, title, state, count, first_seen, last_seen
    from debug_groups where assignee_id = $user order by project_id, id`,
  'releases.json': `select project_id, version, commit, created_at
    from releases where created_by = $user order by project_id, version`,
  'source-maps.json': `select project_id, release, path, debug_id, size, created_at
    from source_maps where created_by = $user order by project_id, id`,
  'chats.json': `select t.project_id, m.thread_id, m.role, m.content, m.status, m.created_at
    from chat_messages m join chat_threads t on t.project_id = m.project_id and t.id = m.thread_id
    where t.user_id = $user order by t.project_id, m.id`,
  'saved-searches.json': `select name, query, match, created_at
    from saved_searches where user_id = $user order by name`,
  'checkouts.json': `select project_id, folder from checkouts where user_id = $user order by project_id`,
  'watches.json': `select project_id, kind, value, path, match, created_at, last_match_at
    from watches where user_id = $user order by project_id, id`,
  'teams.json': `select t.name, m.role, m.source, m.created_at
    from team_members m join teams t on t.id = m.team_id where m.user_id = $user order by t.name`,
  'models.json': `select provider, name, base_url, created_at
    from user_models where user_id = $user`,
  'project-models.json': `select m.project_id, m.provider, m.name, m.base_url, m.created_at
    from project_models m where m.created_by = $user order by m.project_id`,
  'chat-attachments.json': `select project_id, id, message_id, kind, name, media_type, size, text, created_at
    from chat_attachments where user_id = $user order by project_id, id`,
  'error-intakes.json': `select i.project_id, i.enabled, i.retention_days, i.scrub_defaults, i.scrub_fields, i.created_at
    from project_intakes i join project_members m on m.project_id = i.project_id
    where m.direct_role = 'owner' and m.user_id = $user order by i.project_id`,
  'error-events.json': `select e.project_id, e.id, e.received_at, e.event
    from project_members m cross join lateral (
      select * from error_events e where e.project_id = m.project_id order by e.received_at desc limit ${MAX_EXPORTED_EVENTS}
    ) e
    where m.direct_role = 'owner' and m.user_id = $user order by e.project_id, e.received_at desc, e.id`,
  'test-runs.json': `select project_id, id, commit, branch, suite, cardinality(passed) as passed, cardinality(failed) as failed,
      cardinality(flaky) as flaky, cardinality(skipped) as skipped, created_at
    from test_runs where created_by = $user order by project_id, id`,
  'tests.json': `select t.project_id, t.suite, t.scope, t.name, t.file, t.state, t.verdict, t.failed_at, t.failed_commit, t.failure
    from project_tests t join project_members m on m.project_id = t.project_id
    where m.direct_role = 'owner' and m.user_id = $user and t.failed_at is not null order by t.project_id, t.id`,
  'issue-imports.json': `select i.project_id, i.enabled, i.state, i.received, i.linked_commits, i.imported_at, i.created_at
    from issue_imports i join project_members m on m.project_id = i.project_id
    where m.direct_role = 'owner' and m.user_id = $user order by i.project_id`,
  'issues.json': `select i.project_id, i.kind, i.number, i.title, i.body, i.state, i.author, i.labels, i.branch, i.merge_commit,
      i.created_at, i.updated_at, i.closed_at
    from issues i join project_members m on m.project_id = i.project_id
    where m.direct_role = 'owner' and m.user_id = $user order by i.project_id, i.kind, i.number`,
  'issue-comments.json': `select c.project_id, c.kind, c.number, c.id, c.author, c.body, c.created_at, c.updated_at
    from issue_comments c join project_members m on m.project_id = c.project_id
    where m.direct_role = 'owner' and m.user_id = $user order by c.project_id, c.kind, c.number, c.created_at, c.id`,
  'proofs.json': `select project_id, id, session_id, kind, source, state, request, ending, first_bad, result, created_at, finished_at
    from proofs where user_id = $user order by project_id, id`,
  'proof-runs.json': `select r.project_id, r.proof_id, r.number, r.commit, r.purpose, r.outcome, r.skip_reason, r.ms, r.log, r.created_at
    from proof_runs r join proofs p on p.project_id = r.project_id and p.id = r.proof_id
    where p.user_id = $user order by r.project_id, r.proof_id, r.number`,
  'branches.json': `select project_id, name, base, head, pushed_at, session_id, created_at
    from branches where user_id = $user order by project_id, name`,
  'pushes.json': `select project_id, branch, target, git_url, head, commits, force, state, outcome, message, url, created_at,
      finished_at
    from pushes where user_id = $user order by project_id, id`,
  'pull-requests.json': `select project_id, session_id, host, number, url, branch, target, title, state, merge_commit, created_at
    from pull_requests where user_id = $user order by project_id, id`,
  'model-usage.json': `select day, tokens, cost, answers
    from model_usage where user_id = $user order by day`,
  'subscription.json': `select plan, period, expires_at, cancel_at_period_end, trial_ends_at
    from subscriptions where user_id = $user`,
  'billing-details.json': `select name, address, country, tax_id, updated_at
    from billing_details where user_id = $user`,
  'invoices.json': `select number, kind, plan, period, currency, amount_minor, tax_minor, tax, seller, buyer, issued_at
    from invoices where user_id = $user order by issued_at, id`,
  'writable-projects.json': `select project_id, chosen_at
    from writable_projects where user_id = $user order by project_id`,
  'payments.json': `select o.id as order_id, o.plan, o.period, o.amount_minor, o.currency, o.state as order_state,
      p.gateway_payment_id, p.state, p.created_at, p.captured_at
    from orders o left join payments p on p.order_id = o.id
    where o.user_id = $user order by o.id, p.id`,
};

const README = `Everything that you own on this Hindsight.

*.json                     lists, one object a row; times are in UTC
attachments/*              images that you attached to questions
branches/<project>/*.bundle  what you saved in the editor, as git bundles. In a clone of the repository:
                             git fetch <file> 'refs/heads/*:refs/heads/*'
`;

/** Yields every file of a user’s data export. Large contents are streamed. */
export async function* exportEntries(deps: ExportDeps, userId: string): AsyncGenerator<ZipEntry> {
  yield { name: 'README.txt', content: singleChunk(README) };
  for (const [name, query] of Object.entries(EXPORT_QUERIES)) {
    yield { name, content: streamRowsAsJson(deps, query, userId) };
  }
  yield* attachedImages(deps, userId);
  yield* branchBundles(deps, userId);
}

/** Images of questions, read one at a time. */
async function* attachedImages({ db }: ExportDeps, userId: string): AsyncGenerator<ZipEntry> {
  for (let after = ''; ; ) {
    const image = await db
      .selectFrom('chat_attachments')
      .select(['id', 'name', 'data'])
      .where('user_id', '=', userId)
      .where('kind', '=', 'image')
      .where('id', '>', after)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!image) return;
    after = image.id;
    if (image.data)
      yield { name: `attachments/${image.id}-${safeFileName(image.name)}`, content: singleChunk(image.data) };
  }
}

/** Streams the rows of a query as a JSON array, one page at a time. */
async function* streamRowsAsJson({ db }: ExportDeps, query: string, userId: string): AsyncGenerator<string> {
  const [before = '', after = ''] = query.split('$user');
  yield '[';
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const { rows } = await sql<object>`${sql.raw(before)}${userId}${sql.raw(after)}
      limit ${PAGE_SIZE} offset ${offset}`.execute(db);
    for (const [index, row] of rows.entries()) {
      yield `${offset + index === 0 ? '' : ','}\n  ${JSON.stringify(row)}`;
    }
    if (rows.length < PAGE_SIZE) break;
  }
  yield '\n]\n';
}

async function* branchBundles({ db, projectFiles }: ExportDeps, userId: string): AsyncGenerator<ZipEntry> {
  const branches = await db
    .selectFrom('branches')
    .innerJoin('projects', 'projects.id', 'branches.project_id')
    .select(['branches.project_id', 'branches.name', 'branches.base', 'projects.name as project'])
    .where('branches.user_id', '=', userId)
    .whereRef('branches.base', '<>', 'branches.head')
    .execute();
  for (const { project_id, project, name, base } of branches) {
    const repo = await projectFiles.repositories.open(project_id);
    if (!(await exists(repo))) continue;
    const folder = `${safeFileName(project)}-${project_id.slice(-6)}`;
    yield {
      name: `branches/${folder}/${safeFileName(name)}.bundle`,
      content: bundleBranch(repo, { branch: name, base }),
    };
  }
}

async function* singleChunk<T extends string | Buffer>(content: T): AsyncGenerator<T> {
  yield content;
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
