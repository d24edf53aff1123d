import { outageTests, runAndExit, staticChecks, unitTests } from './steps.mjs';

await runAndExit([[staticChecks], [[unitTests], [outageTests]]]);
