// node bench/rivals/signed-fastify.ts DATABASE_URL SECRET_KEY    prints its address
import { fastify } from 'fastify';
import { readConfig } from '../../src/config.ts';
import { connect } from '../../src/db/connect.ts';
import { loadSecretKeys } from '../../src/secrets/keys.ts';
import { authenticate, projectAccess } from '../../src/server/identity/access.ts';

// What a search costs that finds nothing and writes no log: the same check of the sign-in and the same membership query.
const [databaseUrl = '', secretKey = ''] = process.argv.slice(2);
const { db } = connect(databaseUrl);
const deps = {
  db,
  keys: loadSecretKeys({ secretKey, dataDir: '' }),
  config: readConfig({}),
  now: () => new Date(),
};
const app = fastify();
app.get<{ Querystring: { project_id: string } }>('/api/search', async (request) => {
  const caller = await authenticate(request, deps);
  const { name } = await projectAccess(deps, caller, request.query.project_id, 'viewer');
  return { name };
});
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
