import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { DEFAULT_BASE_URLS, requiresApiKey } from '#assistant/models/base-urls.ts';
import type { EmbedderSettings } from '#assistant/models/embed.ts';
import type { ModelSettings } from '#assistant/models/port.ts';
import { DEFAULT_INDEX_MB } from '#memory/limits.ts';
import { DEFAULT_RATE_LIMITS, type RateLimits } from '#contract/rate-limits.ts';

/** Every setting as a plain value. `main.ts` reads it once and hands on what each part needs. */
export interface Config {
  host: string;
  port: number;
  publicUrl: string | null;
  /** Addresses of proxies whose `X-Forwarded-For` is believed. */
  trustProxy: string[] | false;
  /** Host names that requests may name beside `localhost`, IP addresses and `publicUrl`. */
  allowedHosts: string[];
  maxBufferedBytes: number;
  maxConnectionsPerIp: number;
  corsOrigins: string[];
  /** Absolute. */
  dataDir: string;
  /** Mebibytes on the disk of `dataDir` that are kept for when it fills; 0: none. */
  diskReserveMb: number;
  /** Null: the embedded PostgreSQL. */
  databaseUrl: string | null;
  role: 'all' | 'server' | 'worker';
  /** One key, or several separated by commas: the first encrypts, all decrypt. Null: made at first start. */
  secretKey: string | null;
  signup: 'open' | 'invite' | 'closed';
  publicInstance: boolean;
  mail: {
    /** The operator's mail server; null: letters become files in `dataDir`. */
    smtpUrl: string | null;
    /** The sender of letters. */
    from: string;
  };
  /** Other services that people may sign in with; null where one is not set up. */
  signIn: {
    github: { clientId: string; clientSecret: string; url: string; apiUrl: string } | null;
    google: { clientId: string; clientSecret: string; issuerUrl: string } | null;
  };
  /** Shortest password that is taken, in characters. */
  passwordMinLength: number;
  /** How often each thing may be done. */
  limits: RateLimits;
  /** The language model that writes answers; null: answers are written from the evidence alone. */
  model: ModelSettings | null;
  /** What each person may let it take, and what that costs. */
  modelBudget: {
    tokens: { day: number | null; month: number | null };
    cost: { day: number | null; month: number | null };
    prices: { input: number; output: number; currency: string } | null;
  };
  /** The model that turns code and questions into vectors; null: no search by meaning. */
  embedder: EmbedderSettings | null;
  /** The payment gateway; null: nothing can be paid, and every account has every feature. */
  razorpay: {
    keyId: string;
    keySecret: string;
    /** Null: events of the gateway are not accepted, and what they would say is asked for. */
    webhookSecret: string | null;
    /** Without a slash at its end. */
    apiUrl: string;
    /** The script that opens the checkout. */
    checkoutUrl: string;
  } | null;
  /** Where to write about the Enterprise plan. */
  salesEmail: string | null;
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  git: {
    /** Exact `host` or `host:port` that may be private and may use plain http. */
    allowedPrivateHosts: string[];
    /** Absolute folders whose repositories may be connected. */
    localRoots: string[];
    /** Certificates that are trusted in place of the system's, in one file; null: the system's. */
    caFile: string | null;
    maxRepoMb: number;
    maxEntries: number;
    timeoutS: number;
    maxFileBytes: number;
    /** Of each of the two parts of an index, history and code. */
    maxIndexMb: number;
    concurrency: number;
  };
  /** Mebibytes that one account may save in all projects; 0: no limit. */
  userQuotaMb: number;
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

const amount = z
  .string()
  .regex(/^\d{1,12}(?:\.\d{1,6})?$/, 'must be a number such as 20 or 0.5')
  .transform(Number)
  .optional();

const choice = <const T extends string>(...values: [T, ...T[]]) =>
  z.enum(values, `must be one of ${values.join(', ')}`).prefault(values[0]);

const isWebAddress = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '');

const webAddress = z
  .string()
  .refine(isWebAddress, 'must be an address such as https://hindsight.example.org')
  .transform((text) => new URL(text).origin);

/** A host name without scheme and port; with a dot before it, all names below it too. */
const hostName = z
  .string()
  .regex(
    /^\.?[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*$/u,
    'must be host names such as hindsight.example.org or .example.org',
  );

/** An address with its path. */
const fullAddress = z.string().refine(isWebAddress, {
  error: 'must be an address such as https://api.example.org',
});

const modelAddress = z.string().refine(isWebAddress, {
  error: 'must be the address of a model API, such as http://127.0.0.1:11434/v1',
});

const NO_LIMIT = 'must be how often and within how many seconds, such as 30/60';

/** `30/60`: at most 30 times within 60 seconds. */
const rateLimit = z
  .string()
  .regex(/^[1-9]\d{0,8}\/[1-9]\d{0,6}$/, NO_LIMIT)
  .transform((text) => text.split('/').map(Number))
  .transform(([max = 0, seconds = 0]) => ({ max, seconds }))
  .optional();

/** `loginPerIp` → `RATE_LIMIT_LOGIN_PER_ADDRESS`. */
const rateLimitVariable = (name: string) =>
  `RATE_LIMIT_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}` as const;

const rateLimits = z.object(
  Object.fromEntries(Object.keys(DEFAULT_RATE_LIMITS).map((name) => [rateLimitVariable(name), rateLimit])),
);

/** Every setting by the name of its variable; docs/configure.md says what each is for. */
export const settings = z.object({
  HOST: z.string().prefault('127.0.0.1'),
  PORT: whole(0, 65_535, 3000),
  PUBLIC_URL: webAddress.optional(),
  TRUST_PROXY: list,
  ALLOWED_HOSTS: list.pipe(z.array(hostName)),
  MAX_BUFFERED_MB: whole(40, 65_536, 64),
  MAX_CONNECTIONS_PER_IP: whole(1, 1_000_000, 1000),
  CORS_ORIGINS: list.pipe(z.array(webAddress)),
  DATA_DIR: z.string().prefault('./data'),
  DISK_RESERVE_MB: whole(0, 1_048_576, 64),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(?:ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  ROLE: choice('all', 'server', 'worker'),
  SECRET_KEY: z.string().optional(),
  SIGNUP: choice('open', 'invite', 'closed'),
  PUBLIC_INSTANCE: choice('0', '1'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
    .optional(),
  MAIL_FROM: z.string().optional(),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  GITHUB_URL: fullAddress.prefault('https://github.com'),
  GITHUB_API_URL: fullAddress.prefault('https://api.github.com'),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_ISSUER_URL: fullAddress.prefault('https://accounts.google.com'),
  PASSWORD_MIN_LENGTH: whole(8, 64, 8),
  MODEL: z
    .string()
    .regex(
      /^(?:anthropic|openai|google|ollama|openai-compatible):\S+$/,
      'must be provider:model, such as anthropic:claude-sonnet-4-5 or ollama:qwen3; providers are anthropic, openai, google, ollama and openai-compatible',
    )
    .optional(),
  MODEL_BASE_URL: modelAddress.optional(),
  MODEL_API_KEY: z.string().optional(),
  MODEL_BUDGET_TOKENS_DAY: amount,
  MODEL_BUDGET_TOKENS_MONTH: amount,
  MODEL_BUDGET_COST_DAY: amount,
  MODEL_BUDGET_COST_MONTH: amount,
  MODEL_PRICE_INPUT: amount,
  MODEL_PRICE_OUTPUT: amount,
  MODEL_PRICE_CURRENCY: z.string().max(10, 'must be short, such as EUR').prefault('USD'),
  EMBEDDING_MODEL: z
    .string()
    .regex(
      /^(?:openai|google|ollama|openai-compatible):\S+$/,
      'must be provider:model, such as openai:text-embedding-3-small or ollama:nomic-embed-text; providers are openai, google, ollama and openai-compatible',
    )
    .optional(),
  EMBEDDING_BASE_URL: modelAddress.optional(),
  EMBEDDING_API_KEY: z.string().optional(),
  RAZORPAY_KEY_ID: z.string().optional(),
  RAZORPAY_KEY_SECRET: z.string().optional(),
  RAZORPAY_WEBHOOK_SECRET: z.string().optional(),
  RAZORPAY_API_URL: fullAddress.prefault('https://api.razorpay.com'),
  RAZORPAY_CHECKOUT_URL: fullAddress.prefault('https://checkout.razorpay.com/v1/checkout.js'),
  SALES_EMAIL: z.email('must be an email address').optional(),
  LOG_LEVEL: choice('warn', 'info', 'fatal', 'error', 'debug', 'trace', 'silent'),
  GIT_ALLOWED_PRIVATE_HOSTS: list,
  GIT_LOCAL_ROOTS: list,
  GIT_CA_FILE: z.string().optional(),
  GIT_MAX_REPO_MB: whole(1, 10_000_000, 5120),
  GIT_MAX_ENTRIES: whole(1, 100_000_000, 500_000),
  GIT_TIMEOUT_S: whole(1, 604_800, 3600),
  GIT_MAX_FILE_KB: whole(1, 1_048_576, 1024),
  INDEX_MAX_MB: whole(16, 4000, DEFAULT_INDEX_MB),
  GIT_CONCURRENCY: whole(1, 64, 4),
  USER_QUOTA_MB: whole(0, 10_000_000, 0),
  ...rateLimits.shape,
});

/** Of an account on a server for strangers, unless a setting says otherwise. */
const PUBLIC_QUOTA_MB = 2048;

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
  if (value.SMTP_URL && !value.MAIL_FROM) {
    throw new Error(
      'MAIL_FROM must be set with SMTP_URL, to a sender such as Hindsight <hindsight@example.org>.',
    );
  }
  return {
    host: value.HOST,
    port: value.PORT,
    publicUrl: value.PUBLIC_URL ?? null,
    trustProxy: value.TRUST_PROXY.length > 0 ? value.TRUST_PROXY : false,
    allowedHosts: value.ALLOWED_HOSTS,
    maxBufferedBytes: value.MAX_BUFFERED_MB * 2 ** 20,
    maxConnectionsPerIp: value.MAX_CONNECTIONS_PER_IP,
    corsOrigins: value.CORS_ORIGINS,
    dataDir: resolve(value.DATA_DIR),
    diskReserveMb: value.DISK_RESERVE_MB,
    databaseUrl: value.DATABASE_URL ?? null,
    role: value.ROLE,
    secretKey: value.SECRET_KEY ?? null,
    signup: value.SIGNUP,
    publicInstance: value.PUBLIC_INSTANCE === '1',
    mail: { smtpUrl: value.SMTP_URL ?? null, from: value.MAIL_FROM ?? 'Hindsight <hindsight@localhost>' },
    signIn: readSignIn(value),
    passwordMinLength: value.PASSWORD_MIN_LENGTH,
    limits: readLimits(rateLimits.parse(present)),
    model: readModel(value, 'MODEL'),
    modelBudget: readBudget(value),
    embedder: readModel(value, 'EMBEDDING') as EmbedderSettings | null,
    razorpay: readRazorpay(value),
    salesEmail: value.SALES_EMAIL ?? null,
    logLevel: value.LOG_LEVEL,
    git: {
      allowedPrivateHosts: value.GIT_ALLOWED_PRIVATE_HOSTS,
      localRoots: value.GIT_LOCAL_ROOTS.map((folder) => resolve(folder)),
      caFile: value.GIT_CA_FILE ? resolve(value.GIT_CA_FILE) : null,
      maxRepoMb: value.GIT_MAX_REPO_MB,
      maxEntries: value.GIT_MAX_ENTRIES,
      timeoutS: value.GIT_TIMEOUT_S,
      maxFileBytes: value.GIT_MAX_FILE_KB * 1024,
      maxIndexMb: value.INDEX_MAX_MB,
      concurrency: value.GIT_CONCURRENCY,
    },
    userQuotaMb: present.USER_QUOTA_MB
      ? value.USER_QUOTA_MB
      : Number(value.PUBLIC_INSTANCE) * PUBLIC_QUOTA_MB,
  };
}

function readLimits(wanted: z.infer<typeof rateLimits>): RateLimits {
  const names = Object.keys(DEFAULT_RATE_LIMITS) as (keyof RateLimits)[];
  const limits = names.map((name) => [name, wanted[rateLimitVariable(name)] ?? DEFAULT_RATE_LIMITS[name]]);
  return Object.fromEntries(limits) as RateLimits;
}

function readModel(value: z.infer<typeof settings>, kind: 'MODEL' | 'EMBEDDING'): ModelSettings | null {
  const variable = kind === 'MODEL' ? 'MODEL' : 'EMBEDDING_MODEL';
  const [model, key] = [value[variable], value[`${kind}_API_KEY`]];
  if (!model) return null;
  const colon = model.indexOf(':');
  const provider = model.slice(0, colon) as ModelSettings['provider'];
  const baseUrl = value[`${kind}_BASE_URL`] ?? DEFAULT_BASE_URLS[provider];
  if (baseUrl === null) {
    throw new Error(
      `${kind}_BASE_URL must be set when ${variable} is ${model}: it says where the model answers.`,
    );
  }
  if (requiresApiKey(provider) && !key)
    throw new Error(`${kind}_API_KEY must be set when ${variable} is ${model}.`);
  return {
    provider,
    name: model.slice(colon + 1),
    baseUrl: baseUrl.replace(/\/+$/, ''),
    apiKey: key ?? null,
  };
}

function readBudget(value: z.infer<typeof settings>): Config['modelBudget'] {
  const { MODEL_PRICE_INPUT: input, MODEL_PRICE_OUTPUT: output, MODEL_PRICE_CURRENCY: currency } = value;
  if ((input === undefined) !== (output === undefined)) {
    const missing = `MODEL_PRICE_${input === undefined ? 'INPUT' : 'OUTPUT'}`;
    throw new Error(`${missing} must be set too: an answer costs what it reads and what it writes.`);
  }
  const cost = { day: value.MODEL_BUDGET_COST_DAY ?? null, month: value.MODEL_BUDGET_COST_MONTH ?? null };
  const prices = input === undefined || output === undefined ? null : { input, output, currency };
  if (prices === null && (cost.day !== null || cost.month !== null)) {
    throw new Error(
      'MODEL_PRICE_INPUT and MODEL_PRICE_OUTPUT must be set with MODEL_BUDGET_COST_DAY or MODEL_BUDGET_COST_MONTH: without prices no cost is known.',
    );
  }
  const tokens = {
    day: value.MODEL_BUDGET_TOKENS_DAY ?? null,
    month: value.MODEL_BUDGET_TOKENS_MONTH ?? null,
  };
  return { tokens, cost, prices };
}

function readSignIn(value: z.infer<typeof settings>): Config['signIn'] {
  const pair = (service: 'GITHUB' | 'GOOGLE') => {
    const [clientId, clientSecret] = [value[`${service}_CLIENT_ID`], value[`${service}_CLIENT_SECRET`]];
    if (!clientId && !clientSecret) return null;
    if (!clientId || !clientSecret) {
      const missing = `${service}_CLIENT_${clientId ? 'SECRET' : 'ID'}`;
      throw new Error(`${missing} must be set too: signing in needs the client's id and its secret.`);
    }
    return { clientId, clientSecret };
  };
  const plain = (address: string) => address.replace(/\/+$/, '');
  const [github, google] = [pair('GITHUB'), pair('GOOGLE')];
  return {
    github: github && { ...github, url: plain(value.GITHUB_URL), apiUrl: plain(value.GITHUB_API_URL) },
    google: google && { ...google, issuerUrl: plain(value.GOOGLE_ISSUER_URL) },
  };
}

function readRazorpay(value: z.infer<typeof settings>): Config['razorpay'] {
  const { RAZORPAY_KEY_ID: keyId, RAZORPAY_KEY_SECRET: keySecret } = value;
  if (!keyId && !keySecret) return null;
  if (!keyId || !keySecret) {
    const missing = keyId ? 'RAZORPAY_KEY_SECRET' : 'RAZORPAY_KEY_ID';
    throw new Error(`${missing} must be set too: payments need the key's id and its secret.`);
  }
  return {
    keyId,
    keySecret,
    webhookSecret: value.RAZORPAY_WEBHOOK_SECRET ?? null,
    apiUrl: value.RAZORPAY_API_URL.replace(/\/+$/, ''),
    checkoutUrl: value.RAZORPAY_CHECKOUT_URL,
  };
}

/** Settings of the command line, which needs neither a server nor a database. */
export function readCliConfig(env: Record<string, string | undefined> = process.env): {
  /** Absolute. */
  cacheDir: string;
  server: string | null;
  apiKey: string | null;
} {
  const present = (name: string) => env[name]?.trim() || null;
  const cache =
    present('HINDSIGHT_CACHE_DIR') ??
    join(present('XDG_CACHE_HOME') ?? join(homedir(), '.cache'), 'hindsight');
  return {
    cacheDir: resolve(cache),
    server: present('HINDSIGHT_SERVER'),
    apiKey: present('HINDSIGHT_API_KEY'),
  };
}
