import { backupFault } from './backup.ts';
import { browserFault } from './browser-kills.ts';
import { chatFault } from './chat.ts';
import { clockFault } from './clock.ts';
import { databaseFault } from './database.ts';
import { readOnlyDiskFault } from './disk.ts';
import type { Fault } from './fault.ts';
import { ingestFault } from './ingest.ts';
import { memoryFault } from './memory.ts';
import { migrationFault } from './migration.ts';
import { oldReplicaFault } from './old-replica.ts';
import { paymentFault } from './payments.ts';
import { saveFault, writerFault } from './saves.ts';
import { shutdownFault, startFaults } from './shutdown.ts';
import { slowDiskFault } from './slow-disk.ts';
import { socketFault } from './sockets.ts';
import { suiteFaults } from './suites.ts';

/** Faults that start servers of their own. */
const PROGRAM_FAULTS: Fault[] = [
  ...[
    ingestFault,
    saveFault,
    paymentFault,
    chatFault,
    databaseFault,
    writerFault,
    socketFault,
    memoryFault,
    shutdownFault,
  ],
  ...[
    readOnlyDiskFault,
    slowDiskFault,
    backupFault,
    clockFault,
    migrationFault,
    oldReplicaFault,
    browserFault,
    ...startFaults,
  ],
];

/** All faults, in the order of their numbers. */
export const FAULTS: Fault[] = [...PROGRAM_FAULTS, ...suiteFaults].sort((a, b) =>
  a.id.localeCompare(b.id, 'en', { numeric: true }),
);
