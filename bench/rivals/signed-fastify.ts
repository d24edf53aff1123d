// node bench/rivals/signed-fastify.ts DATABASE_URL SECRET_KEY    prints its address
import { fastify } from 'fastify';
import { jwtVerify } from 'jose';
import { sql } from 'kysely';
import { connect } from '../../src/db/connect.ts';
import { deriveKey, loadSecretKeys } from '../../src/secrets/keys.ts';

// What a search costs that finds nothing and writes no log: the sign-in by jose and the two queries by Kysely, as most programs of
// this kind have them, without prepared statements or cached signatures.
const [databaseUrl = '', secretKey = ''] = process.argv.slice(2);
const { db } = connect(databaseUrl);
const key = deriveKey(loadSecretKeys({ secretKey, dataDir: '' }), 'signed bearer');
const app = fastify();
app.get<{ Querystring: { project_id: string } }>('/api/search', async (request, reply) => {
  const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
  const { payload } = await jwtVerify<{ sid: string }>(token, key, { algorithms: ['HS256'] });
  const session = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.role', 'users.is_active', 'sessions.counter', 'sessions.last_seen'])
    .select(['sessions.rotated_at', 'sessions.expires_at', 'sessions.revoked_at'])
    .select(
      sql<boolean>`(users.totp_secret is null and exists (
        select 1 from settings where key = ${'sign_in_policy'} and value -> 'second_factor_required' = 'true'::jsonb))`.as(
        'lacks_second_factor',
      ),
    )
    .where('sessions.id', '=', payload.sid)
    .where('sessions.user_id', '=', payload.sub!)
    .executeTakeFirst();
  if (!session?.is_active || session.revoked_at || session.expires_at <= new Date()) {
    return reply.status(401).send();
  }
  const project = await db
    .selectFrom('projects')
    .innerJoin('project_members', 'project_members.project_id', 'projects.id')
    .selectAll('projects')
    .select('project_members.role')
    .where('projects.id', '=', request.query.project_id)
    .where('project_members.user_id', '=', session.id)
    .executeTakeFirst();
  return project ? { name: project.name } : reply.status(404).send();
});
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
