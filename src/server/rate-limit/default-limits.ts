/** At most `max` times within `seconds` from the first. */
export interface RateLimit {
  max: number;
  seconds: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** How often each thing may be done, unless a setting `RATE_LIMIT_…` says otherwise. */
export const DEFAULT_RATE_LIMITS = {
  /** Offices share addresses, so these are wide: the real brake is on the account (see `brake.ts`). */
  loginPerAddress: { max: 30, seconds: MINUTE },
  loginPerAddressHourly: { max: 300, seconds: HOUR },
  /** Tries at one account's password that failed: from one network, and from anywhere before each needs a wait. */
  loginPerNetwork: { max: 10, seconds: 15 * MINUTE },
  loginPerAccountHourly: { max: 50, seconds: HOUR },
  registerPerAddress: { max: 30, seconds: HOUR },
  /** Also those that make no account: a name that is taken, a password that is too common. */
  registerTriesPerAddress: { max: 120, seconds: HOUR },
  invitationLookupsPerAddress: { max: 60, seconds: HOUR },
  forgotPerAddress: { max: 10, seconds: HOUR },
  forgotPerAccount: { max: 3, seconds: HOUR },
  resetPerAddress: { max: 10, seconds: HOUR },
  resetPerLink: { max: 5, seconds: 30 * MINUTE },
  refreshPerAddress: { max: 120, seconds: MINUTE },
  refreshPerSession: { max: 30, seconds: MINUTE },
  paymentsPerUser: { max: 10, seconds: MINUTE },
  membersPerUser: { max: 60, seconds: HOUR },
  invitationsPerUser: { max: 30, seconds: HOUR },
  credentialTestsPerUser: { max: 10, seconds: MINUTE },
  /** The rest holds on a server for strangers alone: one's own people need no brake. */
  projectsPerUser: { max: 10, seconds: HOUR },
  refreshPerProject: { max: 1, seconds: MINUTE },
  answersPerUser: { max: 20, seconds: MINUTE },
  answersPerUserDaily: { max: 300, seconds: 24 * HOUR },
  savesPerUser: { max: 60, seconds: MINUTE },
  analysesPerUser: { max: 20, seconds: MINUTE },
  callsPerUser: { max: 300, seconds: MINUTE },
  callsPerAddress: { max: 600, seconds: MINUTE },
} satisfies Record<string, RateLimit>;

/** The limits of a server. */
export type RateLimits = Record<keyof typeof DEFAULT_RATE_LIMITS, RateLimit>;
