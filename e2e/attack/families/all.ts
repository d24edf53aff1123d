import type { Family } from '../family.ts';
import { fuzz } from '../fuzz/fuzz.ts';
import { injection } from '../injection/injection.ts';
import { bodies } from './bodies.ts';
import { branches } from './branches.ts';
import { credentials } from './credentials.ts';
import { database } from './database.ts';
import { disk } from './disk.ts';
import { hosts } from './hosts.ts';
import { limits } from './limits.ts';
import { machine } from './machine.ts';
import { modelText } from './model-text.ts';
import { network } from './network.ts';
import { parsers } from './parsers.ts';
import { plans } from './plans.ts';
import { queues } from './queues.ts';
import { regex } from './regex.ts';
import { repositories } from './repositories.ts';
import { revisions } from './revisions.ts';
import { saves } from './saves.ts';
import { signIns } from './sign-in.ts';
import { sockets } from './sockets.ts';

/** Every family, in the order in which they run: those that end processes come last. */
export const FAMILIES: readonly Family[] = [
  ...[hosts, limits, signIns, revisions, credentials, plans, branches, sockets, bodies, parsers],
  ...[saves, regex, queues, network, repositories, modelText, injection, fuzz, machine, database, disk],
];
