import { accountRoutes } from './account.ts';
import { adminRoutes } from './admin.ts';
import { analysisRoutes } from './analysis.ts';
import { auditRoutes } from './audit.ts';
import { authRoutes } from './auth.ts';
import { backtestRoutes } from './backtest.ts';
import { billingRoutes } from './billing.ts';
import { branchRoutes, pullRequestRoutes, pushRoutes } from './branches.ts';
import { changeCheckRoutes } from './change-check.ts';
import { chatRoutes } from './chat.ts';
import { checkoutRoutes } from './checkouts.ts';
import { codeRoutes } from './code.ts';
import { codeHostRoutes } from './code-hosts.ts';
import { connectRoutes } from './connect.ts';
import { credentialRoutes } from './credentials.ts';
import { dashboardRoutes } from './dashboard.ts';
import { debugRoutes } from './debug.ts';
import { egressRoutes } from './egress.ts';
import { errorGroupRoutes } from './error-groups.ts';
import { errorMergingRoutes } from './error-merging.ts';
import { errorValueRoutes } from './error-values.ts';
import { evolutionRoutes } from './evolution.ts';
import { historyRoutes } from './history.ts';
import { hookRoutes } from './hooks.ts';
import { ideRoutes } from './ide.ts';
import { identityRoutes } from './identities.ts';
import { impactRoutes } from './impact.ts';
import { intakeRoutes } from './intake.ts';
import { issueRoutes } from './issues.ts';
import { keyRoutes } from './keys.ts';
import { lineRoutes } from './lines.ts';
import { memberRoutes } from './members.ts';
import { modelRoutes } from './models.ts';
import { notificationRoutes } from './notifications.ts';
import { ownModelRoutes } from './own-models.ts';
import { paletteRoutes } from './palette.ts';
import { paymentRoutes } from './payments.ts';
import { projectOverviewRoutes } from './project-overview.ts';
import { projectSettingsRoutes } from './project-settings.ts';
import { projectRoutes } from './projects.ts';
import { proofRoutes } from './proofs.ts';
import { releaseRoutes } from './releases.ts';
import { replayRoutes } from './replay.ts';
import type { RouteInput, RouteKey, RouteReply } from './route.ts';
import { scimTokenRoutes } from './scim.ts';
import { searchRoutes } from './search.ts';
import { searchResultRoutes } from './search-results.ts';
import { savedSearchRoutes } from './search-saved.ts';
import { signInPolicyRoutes } from './sign-in-policy.ts';
import { signInProviderRoutes } from './sign-in-providers.ts';
import { teamRoutes } from './teams.ts';
import { testRunRoutes } from './test-runs.ts';
import { twoFactorRoutes } from './two-factor.ts';
import { watchRoutes } from './watches.ts';
import { webhookRoutes } from './webhooks.ts';

/** Every route of the API by feature. The server must serve each of them; a test counts. */
export const apiRoutes = {
  auth: authRoutes,
  twoFactor: twoFactorRoutes,
  identities: identityRoutes,
  account: accountRoutes,
  admin: adminRoutes,
  dashboard: dashboardRoutes,
  projects: projectRoutes,
  projectSettings: projectSettingsRoutes,
  projectOverview: projectOverviewRoutes,
  replay: replayRoutes,
  connect: connectRoutes,
  backtest: backtestRoutes,
  evolution: evolutionRoutes,
  code: codeRoutes,
  changeCheck: changeCheckRoutes,
  impact: impactRoutes,
  search: searchRoutes,
  searchResults: searchResultRoutes,
  savedSearches: savedSearchRoutes,
  lines: lineRoutes,
  palette: paletteRoutes,
  debug: debugRoutes,
  errors: errorGroupRoutes,
  errorMerging: errorMergingRoutes,
  errorValues: errorValueRoutes,
  proofs: proofRoutes,
  releases: releaseRoutes,
  chat: chatRoutes,
  egress: egressRoutes,
  models: modelRoutes,
  ownModels: ownModelRoutes,
  history: historyRoutes,
  hooks: hookRoutes,
  intake: intakeRoutes,
  testRuns: testRunRoutes,
  webhooks: webhookRoutes,
  ide: ideRoutes,
  analysis: analysisRoutes,
  branches: branchRoutes,
  pushes: pushRoutes,
  pullRequests: pullRequestRoutes,
  codeHosts: codeHostRoutes,
  issues: issueRoutes,
  notifications: notificationRoutes,
  watches: watchRoutes,
  checkouts: checkoutRoutes,
  payments: paymentRoutes,
  billing: billingRoutes,
  credentials: credentialRoutes,
  members: memberRoutes,
  teams: teamRoutes,
  signInProviders: signInProviderRoutes,
  scimTokens: scimTokenRoutes,
  signInPolicy: signInPolicyRoutes,
  keys: keyRoutes,
  audit: auditRoutes,
};

type Features = typeof apiRoutes;
type AnyRoute = { [F in keyof Features]: Features[F][keyof Features[F]] }[keyof Features];

/** `'GET /projects/:id'` and so on: every call the browser can make. */
export type ApiKey = RouteKey<AnyRoute>;

/** Looked up, not searched for: comparing every key with every route exceeds what the compiler represents. */
type RouteByKey = { [R in AnyRoute as RouteKey<R>]: R };
type RouteOf<K extends ApiKey> = RouteByKey[K];

/** Input of the route with key K. Types only: the browser never loads the schemas for a call. */
export type ApiInput<K extends ApiKey> = RouteInput<RouteOf<K>>;

/** Reply of the route with key K. */
export type ApiReply<K extends ApiKey> = RouteReply<RouteOf<K>>;

/** Options that a caller must give for the call named K: how its form travels, and that its 401 is not about the caller. */
export type ApiPolicy<K extends ApiKey> = (RouteOf<K> extends { kind: 'form' }
  ? { encoding: 'form' }
  : { encoding?: undefined }) &
  (RouteOf<K> extends { checksCredentials: true }
    ? { checksCredentials: true }
    : { checksCredentials?: undefined });
