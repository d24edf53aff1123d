import { afterAll, expect, test } from 'vitest';
import { newId } from '#db/ids.ts';
import { testApp } from '../testing.ts';
import { loadCalibrationSamples } from './calibration-samples.ts';
import { recordOccurrence } from './record-occurrences.ts';

const app = await testApp();
afterAll(() => app.close());
const { db } = app.deps;

test('a marked place counts by its rank, and instead of the rating by the same member', async () => {
  const ada = await app.signUp('ada');
  const project_id = newId();
  const git_url = 'https://git.example/x';
  await db.insertInto('projects').values({ id: project_id, name: 'x', git_url, status: 'ready' }).execute();
  const add = async (number: number, marked: string | null) => {
    const id = newId();
    const fingerprint = `e${number}`;
    await db.transaction().execute(async (trx) => {
      await recordOccurrence(trx, { project_id, key: fingerprint, title: null });
      const places = ['a', 'b', 'c', 'd'].map((path) => ({ path }));
      const answer = JSON.stringify({
        places,
        confidence: 0.5,
        place_confidence: number / 10,
        abstained: false,
      });
      const row = { id, project_id, fingerprint, number, user_id: ada.id, title: 'x', request: '{}', answer };
      await trx.insertInto('debug_sessions').values(row).execute();
    });
    const own = { project_id, session_id: id, user_id: ada.id };
    await db
      .insertInto('feedback')
      .values({ ...own, id: newId(), helpful: true, comments: null })
      .execute();
    const place = JSON.stringify({ path: marked, line: 1 });
    if (marked)
      await db
        .insertInto('debug_labels')
        .values({ ...own, commit: null, place })
        .execute();
  };
  await add(1, 'c');
  await add(2, 'd');
  await add(3, null);
  const samples = await loadCalibrationSamples(db, project_id);
  const sorted = samples.map((one) => [Number(one.confidence.toFixed(3)), one.isRight]).sort();
  expect(sorted).toEqual([
    [0.1, true],
    [0.2, false],
    [0.3, true],
  ]);
});
