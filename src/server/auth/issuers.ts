import type { Selectable } from 'kysely';
import type { SignInProvidersTable } from '#db/account-tables.ts';
import { createBox } from '#secrets/box.ts';
import type { Deps, OidcIssuer } from '../deps.ts';

type IssuerDeps = Pick<Deps, 'db' | 'config' | 'keys'>;

/** An issuer, set by the operator in `OIDC_ISSUERS` or by an administrator. */
export type ServerIssuer = OidcIssuer & { source: 'environment' | 'administrator' };

/** Lists issuers: those of the settings first, which hide others of the same id, then by name. */
export async function listIssuers({ db, config, keys }: IssuerDeps): Promise<ServerIssuer[]> {
  const configured = config.signIn.issuers.map((issuer) => ({ ...issuer, source: 'environment' as const }));
  const rows = await db.selectFrom('sign_in_providers').selectAll().orderBy('name').orderBy('id').execute();
  const ids = new Set(configured.map(({ id }) => id));
  return [...configured, ...rows.filter(({ id }) => !ids.has(id)).map((row) => toIssuer({ keys }, row))];
}

/** Finds an issuer by its id. */
export async function findIssuer(deps: IssuerDeps, id: string): Promise<ServerIssuer | null> {
  return (await listIssuers(deps)).find((issuer) => issuer.id === id) ?? null;
}

/** Adds or replaces an issuer of an administrator. */
export async function saveIssuer({ db, keys }: Pick<Deps, 'db' | 'keys'>, issuer: OidcIssuer): Promise<void> {
  const values = {
    name: issuer.name,
    issuer: issuer.issuer,
    client_id: issuer.clientId,
    sealed_secret: issuerBox({ keys }).seal(issuer.clientSecret, issuer.id),
    scopes: issuer.scopes,
    groups_claim: issuer.groupsClaim,
    admin_groups: JSON.stringify(issuer.adminGroups),
  };
  await db
    .insertInto('sign_in_providers')
    .values({ id: issuer.id, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute();
}

/** Deletes an issuer of an administrator and the links of its accounts; false when there is none. */
export async function deleteIssuer({ db }: Pick<Deps, 'db'>, id: string): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const deleted = await trx.deleteFrom('sign_in_providers').where('id', '=', id).executeTakeFirst();
    if (deleted.numDeletedRows === 0n) return false;
    await trx.deleteFrom('identities').where('provider', '=', id).execute();
    return true;
  });
}

const issuerBox = ({ keys }: Pick<Deps, 'keys'>) => createBox(keys, 'sign-in provider');

function toIssuer({ keys }: Pick<Deps, 'keys'>, row: Selectable<SignInProvidersTable>): ServerIssuer {
  return {
    id: row.id,
    name: row.name,
    issuer: row.issuer,
    clientId: row.client_id,
    clientSecret: issuerBox({ keys }).open(row.sealed_secret, row.id),
    scopes: row.scopes,
    groupsClaim: row.groups_claim,
    adminGroups: row.admin_groups,
    source: 'administrator',
  };
}
