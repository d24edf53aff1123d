import { z } from 'zod';
import { DEFAULT_RATE_LIMITS, type RateLimits } from '#contract/rate-limits.ts';
import { optionalSetting, rateLimit, type Setting } from './setting.ts';

type RateLimitName = keyof RateLimits;

const DOCS: Record<RateLimitName, string> = {
  loginPerIp: 'sign-in attempts from one IP',
  loginPerIpHourly: 'sign-in attempts from one IP, over a longer window',
  loginPerNetwork: 'failed sign-ins to one account from one network (/24 or /64)',
  loginPerAccountHourly:
    'failed sign-ins to one account from anywhere; beyond it each attempt waits 30 seconds',
  registerPerIp: 'new accounts from one IP',
  registerAttemptsPerIp: 'registrations from one IP, including those that fail',
  invitationLookupsPerIp: 'invitations opened before signing up, from one IP',
  forgotPerIp: 'password reset requests from one IP',
  forgotPerAccount: 'password reset and confirmation emails to one account',
  resetPerIp: 'email links opened from one IP',
  resetPerLink: 'attempts with one link',
  refreshPerIp: 'token refreshes from one IP',
  refreshPerSession: 'token refreshes of one session',
  paymentsPerUser: 'orders, payment verifications and refunds of one user',
  salesMessagesPerIp: 'messages to sales from one IP',
  membersPerUser: 'members and invitations that one user adds to projects',
  invitationsPerUser: 'project invitations that one user opens',
  credentialTestsPerUser: 'tests of repository credentials by one user, and as many of models',
  repositoryChecksPerUser: 'tests of repository URLs and lists of repositories by one user',
  replaysPerUser: 'replays of a past fix by one user',
  proofsPerUser: 'proofs that one user starts',
  attachmentsPerUser: 'files that one user attaches to questions',
  eventsPerProject: 'error events of one project, counted by each process',
  eventsPerServer: 'error events of all projects, counted by each process',
  projectsPerUser: 'on a public instance: projects that one user creates',
  refreshPerProject: 'on a public instance: refreshes of one project',
  answersPerUser: 'on a public instance: questions of one user',
  answersPerUserDaily: 'on a public instance: questions of one user, over a longer window',
  savesPerUser: 'on a public instance: files that one user saves',
  analysesPerUser: 'on a public instance: files that one user analyzes',
  checksPerUser: 'on a public instance: checks of files while one user types',
  callsPerUser: 'on a public instance: API calls of one user',
  callsPerIp: 'on a public instance: requests from one IP',
};

const NAMES = Object.keys(DEFAULT_RATE_LIMITS) as RateLimitName[];

/** `loginPerIp` → `RATE_LIMIT_LOGIN_PER_IP`. */
const variableOf = (name: RateLimitName) => `RATE_LIMIT_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;

/** One setting for each rate limit of the contract. */
export const rateLimitSettings: Record<string, Setting> = Object.fromEntries(
  NAMES.map((name) => {
    const { max, seconds } = DEFAULT_RATE_LIMITS[name];
    return [variableOf(name), optionalSetting(rateLimit, DOCS[name], `\`${max}/${seconds}\``)];
  }),
);

/** Variables of earlier versions by their present names. */
const FORMER_VARIABLES: Record<string, string> = Object.fromEntries(
  NAMES.map(variableOf)
    .filter((variable) => variable.includes('_PER_IP'))
    .map((variable) => [
      variable,
      variable.replace('_PER_IP', '_PER_ADDRESS').replace('REGISTER_ATTEMPTS', 'REGISTER_TRIES'),
    ]),
);

/** Adds the present name of every variable that is set under its former name only. */
export function renameFormerVariables(env: Record<string, string | undefined>): typeof env {
  const renamed = Object.entries(FORMER_VARIABLES).flatMap(([present, former]) =>
    env[former] === undefined ? [] : [[present, env[former]]],
  );
  return { ...Object.fromEntries(renamed), ...env };
}

const parser = z.object(Object.fromEntries(NAMES.map((name) => [variableOf(name), rateLimit.optional()])));

/** Reads the rate limits from variables that have been validated. */
export function readRateLimits(env: Record<string, string | undefined>): RateLimits {
  const parsed = parser.parse(env);
  const limits = NAMES.map((name) => [name, parsed[variableOf(name)] ?? DEFAULT_RATE_LIMITS[name]]);
  return Object.fromEntries(limits) as RateLimits;
}
