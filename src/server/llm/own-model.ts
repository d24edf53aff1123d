import { type Kysely, type Selectable, sql } from 'kysely';
import { DEFAULT_BASE_URLS, requiresApiKey } from '#assistant/models/base-urls.ts';
import type { ModelSettings } from '#assistant/models/port.ts';
import { AppError } from '#contract/errors.ts';
import type { OwnModel, OwnModelPolicy } from '#contract/own-models.ts';
import type { UserModelsTable } from '#db/assistant-tables.ts';
import type { Database } from '#db/schema.ts';
import { parseWebUrl } from '#egress/send-message.ts';
import { createBox } from '#secrets/box.ts';
import type { Deps } from '../deps.ts';
import { loadOwnModelPolicy } from './own-model-policy.ts';

/** The one whose model it is: a person or a project. */
export type ModelOwner = { userId: string } | { projectId: string };

type OwnModelDeps = Pick<Deps, 'db' | 'keys' | 'egress'>;
type Row = Omit<Selectable<UserModelsTable>, 'user_id'>;

/** A stored model, and whether it may be used. */
export interface StoredOwnModel extends Row {
  state: OwnModel['state'];
}

const PURPOSE = 'own model key';

/** Settings of a model as a user enters them. */
interface OwnModelInput {
  provider: OwnModel['provider'];
  name: string;
  base_url?: string | null | undefined;
  api_key?: string | null | undefined;
}

/** Finds the model of a person or a project; null without one. */
export async function findOwnModel(db: Kysely<Database>, owner: ModelOwner): Promise<StoredOwnModel | null> {
  const found = await ('userId' in owner
    ? findUserModel(db, owner.userId)
    : findProjectModel(db, owner.projectId));
  if (!found) return null;
  const { isOwners, ...row } = found;
  const isAllowed = allowsHost(await loadOwnModelPolicy(db), new URL(row.base_url));
  return { ...row, state: !isOwners ? 'other_owner' : isAllowed ? 'usable' : 'not_allowed' };
}

async function findUserModel(
  db: Kysely<Database>,
  userId: string,
): Promise<(Row & { isOwners: boolean }) | null> {
  const row = await db.selectFrom('user_models').selectAll().where('user_id', '=', userId).executeTakeFirst();
  if (!row) return null;
  const { user_id: _, ...model } = row;
  return { ...model, isOwners: true };
}

/** As a credential, it is usable while the active owner of the project is the one who stored it. */
async function findProjectModel(
  db: Kysely<Database>,
  projectId: string,
): Promise<(Row & { isOwners: boolean }) | null> {
  const row = await db
    .selectFrom('project_models as m')
    .leftJoin('project_members as owner', (join) =>
      join.onRef('owner.project_id', '=', 'm.project_id').on('owner.direct_role', '=', 'owner'),
    )
    .leftJoin('users as u', (join) =>
      join
        .onRef('u.id', '=', 'owner.user_id')
        .onRef('u.id', '=', 'm.created_by')
        .on('u.is_active', '=', true)
        .on('u.deletion_at', 'is', null),
    )
    .select([
      'm.provider',
      'm.name',
      'm.base_url',
      'm.sealed_key',
      'm.tested',
      'm.created_at',
      'u.id as user',
    ])
    .where('m.project_id', '=', projectId)
    .executeTakeFirst();
  if (!row) return null;
  const { user, ...model } = row;
  return { ...model, isOwners: user !== null };
}

/** Describes a stored model without its key. */
export function presentOwnModel({
  provider,
  name,
  base_url,
  sealed_key,
  state,
  tested,
}: StoredOwnModel): OwnModel {
  return { provider, name, base_url, state, tested, has_api_key: sealed_key !== null };
}

/**
 * Saves a model with its key encrypted for its URL. A stored key is kept for the same provider and URL only. Throws
 * `bad_request` for missing fields, and for a host that may not be reached.
 */
export async function saveOwnModel(
  deps: OwnModelDeps,
  owner: ModelOwner,
  { input, userId }: { input: OwnModelInput; userId: string },
): Promise<void> {
  const base = input.base_url || DEFAULT_BASE_URLS[input.provider];
  if (!base) throw fieldError('base_url', 'model_base_url_required', 'base_url_required');
  const base_url = base.replace(/\/+$/, '');
  await checkUrl(deps, base_url);
  const before = await findOwnModel(deps.db, owner);
  const isSame = before?.base_url === base_url && before.provider === input.provider;
  const sealed_key = input.api_key
    ? createBox(deps.keys, PURPOSE).seal(
        input.api_key,
        sealContext(owner, { base_url, provider: input.provider }),
      )
    : isSame && before.state !== 'other_owner'
      ? before.sealed_key
      : null;
  if (sealed_key === null && requiresApiKey(input.provider)) {
    throw fieldError('api_key', 'model_key_required', 'api_key_required');
  }
  const values = { provider: input.provider, name: input.name, base_url, sealed_key, created_at: new Date() };
  // Another model, or another key, was not tested.
  const isTested = isSame && before.name === input.name && !input.api_key;
  const tested = isTested && before.tested ? JSON.stringify(before.tested) : null;
  if ('userId' in owner) {
    await deps.db
      .insertInto('user_models')
      .values({ ...values, tested, user_id: owner.userId })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...values, tested }))
      .execute();
  } else {
    const row = { ...values, tested, created_by: userId };
    await deps.db
      .insertInto('project_models')
      .values({ ...row, project_id: owner.projectId })
      .onConflict((conflict) => conflict.column('project_id').doUpdateSet(row))
      .execute();
  }
}

/** Deletes a model with its key; false when there was none. */
export async function deleteOwnModel(db: Kysely<Database>, owner: ModelOwner): Promise<boolean> {
  const { numDeletedRows } = await ('userId' in owner
    ? db.deleteFrom('user_models').where('user_id', '=', owner.userId).executeTakeFirst()
    : db.deleteFrom('project_models').where('project_id', '=', owner.projectId).executeTakeFirst());
  return numDeletedRows > 0n;
}

/** Stores what a test of the model has found out. */
export async function saveTestResult(
  db: Kysely<Database>,
  owner: ModelOwner,
  tested: NonNullable<OwnModel['tested']>,
): Promise<void> {
  const value = JSON.stringify(tested);
  await ('userId' in owner
    ? db.updateTable('user_models').set({ tested: value }).where('user_id', '=', owner.userId).execute()
    : db
        .updateTable('project_models')
        .set({ tested: value })
        .where('project_id', '=', owner.projectId)
        .execute());
}

/** Settings of a stored model for calls, which go through `egress`. Throws `unavailable` when the key cannot be decrypted. */
export function toModelSettings(
  { keys, egress }: Pick<Deps, 'keys' | 'egress'>,
  owner: ModelOwner,
  { provider, name, base_url, sealed_key }: StoredOwnModel,
): ModelSettings {
  const context = sealContext(owner, { base_url, provider });
  const apiKey = sealed_key === null ? null : createBox(keys, PURPOSE).open(sealed_key, context);
  return { provider, name, baseUrl: base_url, apiKey, egress };
}

/** Number of stored models by host, most used first. */
export async function countOwnModels(db: Kysely<Database>): Promise<{ host: string; models: number }[]> {
  const { rows } = await sql<{ host: string; models: number }>`
    select substring(base_url from '^https?://([^/]+)') as host, count(*)::int as models
      from (select base_url from user_models union all select base_url from project_models) m
     group by 1 order by 2 desc, 1 limit 200`.execute(db);
  return rows;
}

/** Refuses what the administrator or the rules of `egress` do not allow, at the field of the URL. */
async function checkUrl({ db, egress }: Pick<Deps, 'db' | 'egress'>, baseUrl: string): Promise<void> {
  const url = URL.parse(baseUrl);
  if (!url || url.username || url.password || url.search || url.hash) {
    throw fieldError('base_url', 'model_base_url_invalid', 'base_url_invalid');
  }
  const policy = await loadOwnModelPolicy(db);
  if (policy.mode === 'off') throw new AppError('conflict', 'own_models_off', { reason: 'own_models_off' });
  if (!allowsHost(policy, url)) {
    const params = { host: url.host };
    const fields = { base_url: { key: 'own_model_host_not_allowed' as const, params } };
    throw new AppError('bad_request', 'own_model_host_not_allowed', {
      params,
      fields,
      reason: 'host_not_allowed',
    });
  }
  try {
    await egress.check(parseWebUrl(baseUrl));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const key = EGRESS_ERRORS[error.reason ?? ''] ?? error.messageKey;
    const fields = { base_url: { key, params: { ...error.params, host: url.host } } };
    throw new AppError('bad_request', key, {
      ...{ params: fields.base_url.params, fields, cause: error },
      ...(error.reason && { reason: error.reason }),
    });
  }
}

/** Refusals of `egress` that are worded for repositories. */
const EGRESS_ERRORS = {
  https_required: 'model_url_https_only',
  port_not_allowed: 'model_port_not_allowed',
} as const as Record<string, 'model_url_https_only' | 'model_port_not_allowed' | undefined>;

function allowsHost({ mode, hosts }: OwnModelPolicy, { host, hostname }: URL): boolean {
  return mode === 'public' || (mode === 'listed' && (hosts.includes(host) || hosts.includes(hostname)));
}

function fieldError(
  field: string,
  key: 'model_base_url_required' | 'model_base_url_invalid' | 'model_key_required',
  reason: string,
): AppError {
  return new AppError('bad_request', key, { reason, fields: { [field]: key } });
}

/** A key opens for its owner, its provider and its URL only. */
function sealContext(owner: ModelOwner, { base_url, provider }: Pick<Row, 'base_url' | 'provider'>): string {
  const id = 'userId' in owner ? `user ${owner.userId}` : `project ${owner.projectId}`;
  return `${id}|${provider}|${base_url}`;
}
