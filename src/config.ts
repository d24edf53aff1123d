import { resolve } from 'node:path';
import { z } from 'zod';

/** Every setting as a plain value. `main.ts` reads it once and hands on what each part needs. */
export interface Config {
  host: string;
  port: number;
  publicUrl: string | null;
  /** Addresses of proxies whose `X-Forwarded-For` is believed. */
  trustProxy: string[] | false;
  corsOrigins: string[];
  /** Absolute. */
  dataDir: string;
  /** Null: the embedded PostgreSQL. */
  databaseUrl: string | null;
  role: 'all' | 'server' | 'worker';
  /** One key, or several separated by commas: the first encrypts, all decrypt. Null: made at first start. */
  secretKey: string | null;
  signup: 'open' | 'invite' | 'closed';
  publicInstance: boolean;
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  git: {
    /** Exact `host` or `host:port` that may be private and may use plain http. */
    allowedPrivateHosts: string[];
    /** Absolute folders whose repositories may be connected. */
    localRoots: string[];
    maxRepoMb: number;
    maxEntries: number;
    timeoutS: number;
    maxFileBytes: number;
  };
}

const list = z
  .string()
  .transform((text) => text.split(',').map((item) => item.trim()))
  .transform((items) => items.filter((item) => item !== ''))
  .prefault('');

const whole = (min: number, max: number, preset: number) =>
  z
    .string()
    .regex(/^\d{1,12}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`)
    .prefault(String(preset));

const choice = <const T extends string>(...values: [T, ...T[]]) =>
  z.enum(values, `must be one of ${values.join(', ')}`).prefault(values[0]);

const webAddress = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: 'must be an address such as https://hindsight.example.org',
  })
  .transform((text) => new URL(text).origin);

const settings = z.object({
  HOST: z.string().prefault('127.0.0.1'),
  PORT: whole(0, 65_535, 3000),
  PUBLIC_URL: webAddress.optional(),
  TRUST_PROXY: list,
  CORS_ORIGINS: list.pipe(z.array(webAddress)),
  DATA_DIR: z.string().prefault('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(?:ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  ROLE: choice('all', 'server', 'worker'),
  SECRET_KEY: z.string().optional(),
  SIGNUP: choice('open', 'invite', 'closed'),
  PUBLIC_INSTANCE: choice('0', '1'),
  LOG_LEVEL: choice('warn', 'info', 'fatal', 'error', 'debug', 'trace', 'silent'),
  GIT_ALLOWED_PRIVATE_HOSTS: list,
  GIT_LOCAL_ROOTS: list,
  GIT_MAX_REPO_MB: whole(1, 10_000_000, 5120),
  GIT_MAX_ENTRIES: whole(1, 100_000_000, 500_000),
  GIT_TIMEOUT_S: whole(1, 604_800, 3600),
  GIT_MAX_FILE_KB: whole(1, 1_048_576, 1024),
});

/**
 * Reads the settings from environment variables; an empty one counts as absent. Throws an `Error` that names
 * every wrong variable and says what it must be.
 */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim() !== ''));
  const parsed = settings.safeParse(present);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path[0]?.toString()} ${issue.message}.`);
    throw new Error([...new Set(problems)].join('\n'));
  }
  const value = parsed.data;
  if (value.ROLE !== 'all' && !value.DATABASE_URL) {
    throw new Error(
      `DATABASE_URL must be set when ROLE is ${value.ROLE}: replicas share one PostgreSQL, the embedded one serves one process.`,
    );
  }
  return {
    host: value.HOST,
    port: value.PORT,
    publicUrl: value.PUBLIC_URL ?? null,
    trustProxy: value.TRUST_PROXY.length > 0 ? value.TRUST_PROXY : false,
    corsOrigins: value.CORS_ORIGINS,
    dataDir: resolve(value.DATA_DIR),
    databaseUrl: value.DATABASE_URL ?? null,
    role: value.ROLE,
    secretKey: value.SECRET_KEY ?? null,
    signup: value.SIGNUP,
    publicInstance: value.PUBLIC_INSTANCE === '1',
    logLevel: value.LOG_LEVEL,
    git: {
      allowedPrivateHosts: value.GIT_ALLOWED_PRIVATE_HOSTS,
      localRoots: value.GIT_LOCAL_ROOTS.map((folder) => resolve(folder)),
      maxRepoMb: value.GIT_MAX_REPO_MB,
      maxEntries: value.GIT_MAX_ENTRIES,
      timeoutS: value.GIT_TIMEOUT_S,
      maxFileBytes: value.GIT_MAX_FILE_KB * 1024,
    },
  };
}
