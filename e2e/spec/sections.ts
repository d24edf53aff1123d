import type { CallTable, Screen } from './row.ts';
import { account, entrance } from './section-2-account.ts';
import { chat as chatScreens } from './section-2-chat.ts';
import { debug, history } from './section-2-debug.ts';
import { ide as ideScreens } from './section-2-ide.ts';
import { plans } from './section-2-plans.ts';
import { bell, shell, site } from './section-2-site.ts';
import { overview, projects } from './section-2-work.ts';
import { overTime } from './section-4.ts';
import { auth } from './section-7-auth.ts';
import { payments, withoutKeys } from './section-7-payments.ts';
import { chat, ide, notifications, work } from './section-7-work.ts';
import { constants } from './section-9.ts';

/** Every screen of the specification, in an order in which none spoils the next. */
export const SCREENS: Screen[] = [
  ...site,
  ...shell,
  ...entrance,
  ...bell,
  ...overview,
  ...projects,
  ...debug,
  ...history,
  ...chatScreens,
  ...ideScreens,
  ...plans,
  ...constants,
  ...overTime,
  ...account,
];

/** Every call of the specification. */
export const CALLS: CallTable[] = [
  ...auth,
  ...work,
  ...ide,
  ...notifications,
  ...chat,
  ...withoutKeys,
  ...payments,
];
