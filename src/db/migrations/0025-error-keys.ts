import { type Kysely, sql } from 'kysely';

/** Codes of failed runs by the message key of the same error; codes whose messages have parameters keep their English text. */
const ERROR_KEYS = {
  address_not_allowed: 'git_protocol_not_allowed',
  bad_certificate: 'bad_certificate',
  cannot_open: 'secret_key_missing',
  closed_folder: 'local_folder_not_allowed',
  corrupt: 'repository_corrupt',
  credential_inactive_owner: 'credential_inactive_owner',
  credential_other_owner: 'credential_other_owner',
  credential_other_url: 'credential_other_url',
  credential_refused: 'credential_refused',
  empty_repository: 'empty_repository',
  foreign_folder: 'folder_owned_by_other_user',
  git_failed: 'git_failed',
  host_key_changed: 'ssh_host_key_changed',
  internal: 'indexing_failed',
  key_refused: 'ssh_key_refused',
  key_waits: 'ssh_key_not_added',
  no_git: 'git_not_installed',
  no_ssh: 'ssh_not_installed',
  not_found_or_private: 'repository_not_found',
  plain_http_credential: 'plain_http_credential',
  redirected: 'redirected',
  scheme: 'git_url_scheme',
  stopped: 'repository_read_stopped',
  storage_full: 'server_storage_full',
  timed_out: 'repository_read_timed_out',
  too_large: 'repository_too_large',
  unreachable: 'git_server_unreachable',
};

/** Replaces `projects.ingest.<reason>` in stored failures and notifications by the keys of the error messages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const pairs = Object.entries(ERROR_KEYS).map(
    ([reason, key]) => sql`(${sql.lit(`projects.ingest.${reason}`)}, ${sql.lit(`errors.${key}`)})`,
  );
  const keys = sql`(values ${sql.join(pairs)}) as keys (old_code, new_code)`;
  await sql`
    update projects set failure = jsonb_set(failure, '{code}', to_jsonb(new_code))
      from ${keys} where failure->>'code' = old_code;
    update notifications set message = jsonb_set(message, '{code}', to_jsonb(new_code))
      from ${keys} where message->>'code' = old_code;
  `.execute(db);
}
