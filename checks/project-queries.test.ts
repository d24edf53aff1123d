import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findOtherKeys, findProjectTables, listReviewedKeys } from './project-queries.ts';

const readSources = (folder: string) => {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const named = paths.filter((path) => path.endsWith('.ts')).map((path) => join(folder, path));
  return Object.fromEntries(named.map((path) => [path, readFileSync(path, 'utf8')]));
};
const migrations = Object.values(readSources('src/db/migrations'));

test('every query of the data of projects names the project, or is reviewed', () => {
  const tables = findProjectTables(migrations);
  expect(tables.size).toBeGreaterThan(40);
  const sources = Object.entries(readSources('src')).filter(
    ([path]) => !/(?:\.test\.ts|\/testing[\w-]*\.ts)$|\/migrations\//.test(path),
  );
  expect(findOtherKeys(Object.fromEntries(sources), tables)).toEqual(listReviewedKeys());
});

test('a query without the project is found', () => {
  const tables = findProjectTables(['create table errors (\n  project_id text not null,\n  id text\n)']);
  const byId = "await db.selectFrom('errors').where('id', '=', id).execute();\n";
  const byProject = "await db.deleteFrom('errors as e').where('e.project_id', '=', id).execute();\n";
  expect(findOtherKeys({ 'a.ts': byId, 'b.ts': byProject }, tables)).toEqual(['a.ts: errors']);
});
