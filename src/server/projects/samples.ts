import { fileURLToPath } from 'node:url';
import { SAMPLE_NAME } from '#contract/sample.ts';

/** Bundles of the sample repositories by name. `sample/build-sample.ts` writes them. */
export const SAMPLES: Readonly<Record<string, string>> = {
  [SAMPLE_NAME]: fileURLToPath(new URL(`./sample/${SAMPLE_NAME}.bundle`, import.meta.url)),
};
