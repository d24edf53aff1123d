import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#db/ids.ts';
import { insertKey } from '../keys/queries.ts';
import { type TestApp, testApp } from '../testing.ts';
import { toAppError } from './error-handler.ts';

let app: TestApp;

beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('what is added to a project that was deleted after it was looked up is not found, not a failure', async () => {
  const ada = await app.signUp('ada');
  const key = { userId: ada.id, name: 'x', scope: 'read', projectId: newId(), expiresAt: null } as const;
  const error = await app.deps.db
    .transaction()
    .execute((transaction) => insertKey(transaction, key))
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: '23503' });
  expect(toAppError(error)).toMatchObject({ code: 'not_found' });
});
