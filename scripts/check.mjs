import { CHECKS, runAndExit } from './steps.mjs';

await runAndExit(CHECKS);
