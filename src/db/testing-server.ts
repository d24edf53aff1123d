import { pino } from 'pino';
import { startEmbedded } from './embedded.ts';

// A program for tests to kill: it starts the embedded PostgreSQL on a folder and says where it is.
const [dataDir = ''] = process.argv.slice(2);
const { url } = await startEmbedded({ dataDir, log: pino({ level: 'silent' }) });
process.send?.({ url });
