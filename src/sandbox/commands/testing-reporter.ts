import { writeSync } from 'node:fs';
import { runAttacks } from './testing-report.ts';

/** Attacks the sandbox of the user that starts this program, and prints the report as JSON. */
const report = JSON.stringify(await runAttacks());
writeSync(1, report);
process.exit(0);
