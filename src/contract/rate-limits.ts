/** A fixed window: at most `max` uses within `seconds` of the first. */
export interface RateLimit {
  max: number;
  seconds: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Defaults of the settings `RATE_LIMIT_…`. */
export const DEFAULT_RATE_LIMITS = {
  /** Wide, since offices share an IP: failed sign-ins are throttled by account. */
  loginPerIp: { max: 30, seconds: MINUTE },
  loginPerIpHourly: { max: 300, seconds: HOUR },
  /** Failed sign-ins of one account: from one network, and from anywhere before each attempt is delayed. */
  loginPerNetwork: { max: 10, seconds: 15 * MINUTE },
  loginPerAccountHourly: { max: 50, seconds: HOUR },
  registerPerIp: { max: 30, seconds: HOUR },
  /** Includes attempts that create no account, such as with a taken username. */
  registerAttemptsPerIp: { max: 120, seconds: HOUR },
  invitationLookupsPerIp: { max: 60, seconds: HOUR },
  forgotPerIp: { max: 10, seconds: HOUR },
  forgotPerAccount: { max: 3, seconds: HOUR },
  resetPerIp: { max: 10, seconds: HOUR },
  resetPerLink: { max: 5, seconds: 30 * MINUTE },
  refreshPerIp: { max: 120, seconds: MINUTE },
  refreshPerSession: { max: 30, seconds: MINUTE },
  paymentsPerUser: { max: 10, seconds: MINUTE },
  salesMessagesPerIp: { max: 5, seconds: HOUR },
  membersPerUser: { max: 60, seconds: HOUR },
  invitationsPerUser: { max: 30, seconds: HOUR },
  credentialTestsPerUser: { max: 10, seconds: MINUTE },
  repositoryChecksPerUser: { max: 30, seconds: MINUTE },
  replaysPerUser: { max: 10, seconds: MINUTE },
  attachmentsPerUser: { max: 60, seconds: 10 * MINUTE },
  /** Proofs, each of which runs code of a repository for up to hours. */
  proofsPerUser: { max: 30, seconds: HOUR },
  /** Error events, counted in memory by each process. */
  eventsPerProject: { max: 60_000, seconds: MINUTE },
  eventsPerServer: { max: 180_000, seconds: MINUTE },
  /** Enforced on public instances only, from here on. */
  projectsPerUser: { max: 10, seconds: HOUR },
  refreshPerProject: { max: 1, seconds: MINUTE },
  answersPerUser: { max: 20, seconds: MINUTE },
  answersPerUserDaily: { max: 300, seconds: 24 * HOUR },
  savesPerUser: { max: 60, seconds: MINUTE },
  analysesPerUser: { max: 20, seconds: MINUTE },
  checksPerUser: { max: 120, seconds: MINUTE },
  callsPerUser: { max: 300, seconds: MINUTE },
  callsPerIp: { max: 600, seconds: MINUTE },
} satisfies Record<string, RateLimit>;

/** The rate limits of a server. */
export type RateLimits = Record<keyof typeof DEFAULT_RATE_LIMITS, RateLimit>;

/** Limits of routes whose answer may use the language model, counted together with chat. */
export const ANSWER_RATE_LIMITS = [
  { bucket: 'chat:minute', limit: 'answersPerUser', per: 'user', publicOnly: true, beforeBody: true },
  { bucket: 'chat:day', limit: 'answersPerUserDaily', per: 'user', publicOnly: true, beforeBody: true },
] as const;
