import type { FastifyInstance } from 'fastify';
import { registerKeys } from './account/key-routes.ts';
import { registerAccount } from './account/routes.ts';
import { registerAudit } from './admin/audit-routes.ts';
import { registerEgressLog } from './admin/egress-routes.ts';
import { registerModels } from './admin/model-routes.ts';
import { registerAdmin } from './admin/routes.ts';
import { registerAuth } from './auth/routes.ts';
import { registerBacktest } from './backtest/routes.ts';
import { registerChat } from './chat/routes.ts';
import { registerDashboard } from './dashboard/routes.ts';
import { registerDebug } from './debug/routes.ts';
import type { Deps } from './deps.ts';
import { registerHistory } from './history/routes.ts';
import { registerHooks } from './hooks/routes.ts';
import { registerIde } from './ide/routes.ts';
import { registerMcp } from './mcp/routes.ts';
import { registerMembers } from './members/routes.ts';
import { registerNotifications } from './notifications/routes.ts';
import { registerPayments } from './payments/routes.ts';
import { registerProjects } from './projects/routes.ts';
import { registerLines } from './search/line-routes.ts';
import { registerSearch } from './search/routes.ts';

/** Registers the routes of every feature. */
export function registerFeatures(app: FastifyInstance, deps: Deps): void {
  registerAuth(app, deps);
  registerAccount(app, deps);
  registerAdmin(app, deps);
  registerDashboard(app, deps);
  registerPayments(app, deps);
  registerProjects(app, deps);
  registerBacktest(app, deps);
  registerSearch(app, deps);
  registerLines(app, deps);
  registerDebug(app, deps);
  registerChat(app, deps);
  registerMcp(app, deps);
  registerEgressLog(app, deps);
  registerHooks(app, deps);
  registerModels(app, deps);
  registerHistory(app, deps);
  registerIde(app, deps);
  registerNotifications(app, deps);
  registerMembers(app, deps);
  registerKeys(app, deps);
  registerAudit(app, deps);
}
