import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAMILIES } from './families/all.ts';
import { chooseInputs, runFamily } from './family.ts';
import { LOOSE_BOUNDS, MODES, measureQuiet, openWorld } from './suite.ts';

/** The short form: a few inputs of each family, by the same code as `npm run attack`. */
describe.each(MODES)('attacks, mode %s', (mode) => {
  let opened: Awaited<ReturnType<typeof openWorld>>;
  let quietP95: number;

  beforeAll(async () => {
    opened = await openWorld(mode, { checkout: process.cwd(), short: true });
    quietP95 = await measureQuiet(opened.world);
  });
  afterAll(() => opened?.close());

  const families = FAMILIES.filter((family) => chooseInputs(family, mode, true).length > 0);
  test.each(families)('$name', async (family) => {
    const result = await runFamily(family, opened.world, { quietP95, bounds: LOOSE_BOUNDS, short: true });
    expect(result.failures).toEqual([]);
  });
});
