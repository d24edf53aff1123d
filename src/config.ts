import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { DEFAULT_BASE_URLS, requiresApiKey } from '#assistant/models/base-urls.ts';
import type { EmbedderSettings } from '#assistant/models/embed.ts';
import type { ModelSettings } from '#assistant/models/port.ts';
import type { OtlpSettings } from '#server/telemetry/open-telemetry.ts';
import type { ObjectStoreSettings } from '#storage/open-store.ts';
import { type CiEnvironment, readCiEnvironment } from './config/ci-environment.ts';
import { rateLimitSettings, readRateLimits, renameFormerVariables } from './config/rate-limit-settings.ts';
import type { Setting } from './config/setting.ts';
import {
  accountSettings,
  embeddingSettings,
  modelSettings,
  operationSettings,
  paymentSettings,
  repositorySettings,
  sandboxSettings,
  serverSettings,
  storageSettings,
} from './config/settings.ts';

const SETTINGS_BY_NAME = {
  ...serverSettings,
  ...operationSettings,
  ...accountSettings,
  ...repositorySettings,
  ...storageSettings,
  ...sandboxSettings,
  ...modelSettings,
  ...embeddingSettings,
  ...paymentSettings,
};

/** Every setting by the name of its environment variable. */
export const settings: Record<string, Setting> = { ...SETTINGS_BY_NAME, ...rateLimitSettings };

type Schemas = { [K in keyof typeof SETTINGS_BY_NAME]: (typeof SETTINGS_BY_NAME)[K]['schema'] };

const environment = z.object(
  Object.fromEntries(Object.entries(settings).map(([name, { schema }]) => [name, schema])) as Schemas,
);

/** The variables as parsed. */
type Values = z.infer<typeof environment>;

/** Settings of the server as values; `main.ts` reads them once and passes them to each part. */
export type Config = ReturnType<typeof readConfig>;

/** Of an account on a server for strangers, unless a setting says otherwise. */
const PUBLIC_QUOTA_MB = 2048;

/**
 * Reads the settings from environment variables; an empty one counts as absent. Throws an `Error` that names
 * every wrong variable and says what it must be.
 */
export function readConfig(env: Record<string, string | undefined> = process.env) {
  const filled = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim() !== ''));
  const present = renameFormerVariables(filled);
  const parsed = environment.safeParse(present);
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
    trustProxy: value.TRUST_PROXY.length > 0 ? value.TRUST_PROXY : (false as const),
    allowedHosts: value.ALLOWED_HOSTS,
    maxBufferedBytes: value.MAX_BUFFERED_MB * 2 ** 20,
    maxConnectionsPerIp: value.MAX_CONNECTIONS_PER_IP,
    maxRequestsInFlight: value.MAX_REQUESTS_IN_FLIGHT,
    maxEventLoopDelayMs: value.MAX_EVENT_LOOP_DELAY_MS,
    corsOrigins: value.CORS_ORIGINS,
    dataDir: resolve(value.DATA_DIR),
    diskReserveMb: value.DISK_RESERVE_MB,
    databaseUrl: value.DATABASE_URL ?? null,
    databaseDirectUrl: value.DATABASE_DIRECT_URL ?? null,
    role: value.ROLE,
    workerPort: value.WORKER_PORT ?? null,
    secretKey: value.SECRET_KEY ?? null,
    signup: value.SIGNUP,
    publicInstance: value.PUBLIC_INSTANCE === '1',
    mail: { smtpUrl: value.SMTP_URL ?? null, from: value.MAIL_FROM ?? 'Hindsight <hindsight@localhost>' },
    signIn: readSignIn(value),
    passwordMinLength: value.PASSWORD_MIN_LENGTH,
    limits: readRateLimits(present),
    model: readModel(value, 'MODEL'),
    modelBudget: readBudget(value),
    embedder: readModel(value, 'EMBEDDING') as EmbedderSettings | null,
    razorpay: readRazorpay(value),
    salesEmail: value.SALES_EMAIL ?? null,
    invoicing: readInvoicing(value),
    trialReminderDays: value.TRIAL_REMINDER_DAYS,
    logLevel: value.LOG_LEVEL,
    metricsToken: value.METRICS_TOKEN ?? null,
    retentionDays: {
      sessions: value.RETENTION_SESSIONS_DAYS,
      notifications: value.RETENTION_NOTIFICATIONS_DAYS,
      audit: value.RETENTION_AUDIT_DAYS,
      outgoing: value.RETENTION_OUTGOING_DAYS,
    },
    otlp: readOtlp(value),
    git: {
      allowedPrivateHosts: value.GIT_ALLOWED_PRIVATE_HOSTS,
      localRoots: value.GIT_LOCAL_ROOTS.map((folder) => resolve(folder)),
      caFile: value.GIT_CA_FILE ? resolve(value.GIT_CA_FILE) : null,
      maxRepoMb: value.GIT_MAX_REPO_MB,
      maxEntries: value.GIT_MAX_ENTRIES,
      timeoutS: value.GIT_TIMEOUT_S,
      hostApiTimeoutS: value.HOST_API_TIMEOUT_S,
      maxFileBytes: value.GIT_MAX_FILE_KB * 1024,
      maxIndexMb: value.INDEX_MAX_MB,
      concurrency: value.GIT_CONCURRENCY,
    },
    objectStore: readObjectStore(value),
    diskCacheBytes: value.DISK_CACHE_MB * 2 ** 20,
    sandbox: { mode: value.SANDBOX, toolchains: value.SANDBOX_TOOLCHAINS },
    userQuotaMb: present.USER_QUOTA_MB
      ? value.USER_QUOTA_MB
      : Number(value.PUBLIC_INSTANCE) * PUBLIC_QUOTA_MB,
  };
}

function readModel(value: Values, kind: 'MODEL' | 'EMBEDDING'): ModelSettings | null {
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

function readOtlp(value: Values): OtlpSettings | null {
  const endpoint = value.OTEL_EXPORTER_OTLP_ENDPOINT;
  return endpoint === undefined ? null : { endpoint, headers: value.OTEL_EXPORTER_OTLP_HEADERS };
}

function readObjectStore(value: Values): ObjectStoreSettings | null {
  const url = value.OBJECT_STORE_URL;
  if (url === undefined) return null;
  if (value.ROLE !== 'all' && !value.SECRET_KEY) {
    throw new Error(
      `SECRET_KEY must be set when ROLE is ${value.ROLE} with OBJECT_STORE_URL: each process has a DATA_DIR of its own, and all need the same key.`,
    );
  }
  const [accessKey, secretKey] = [value.OBJECT_STORE_ACCESS_KEY, value.OBJECT_STORE_SECRET_KEY];
  if (!url.startsWith('file:') && (!accessKey || !secretKey)) {
    const missing = `OBJECT_STORE_${accessKey ? 'SECRET' : 'ACCESS'}_KEY`;
    throw new Error(
      `${missing} must be set with OBJECT_STORE_URL: a bucket is read and written with both keys.`,
    );
  }
  return {
    url,
    region: value.OBJECT_STORE_REGION,
    accessKey: accessKey ?? null,
    secretKey: secretKey ?? null,
  };
}

function readBudget(value: Values) {
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

function readSignIn(value: Values) {
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
    issuers: value.OIDC_ISSUERS.map((issuer) => ({
      id: issuer.id,
      name: issuer.name,
      issuer: plain(issuer.issuer),
      clientId: issuer.client_id,
      clientSecret: issuer.client_secret,
      scopes: issuer.scopes,
      groupsClaim: issuer.groups_claim,
      adminGroups: issuer.admin_groups,
    })),
  };
}

function readRazorpay(value: Values) {
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

function readInvoicing(value: Values) {
  const [name = '', ...address] = (value.INVOICE_SELLER ?? '').split('|').map((line) => line.trim());
  return {
    seller: { name, address: address.join('\n'), tax_id: value.INVOICE_TAX_ID ?? '' },
    tax: { name: value.TAX_NAME, percent: value.TAX_PERCENT },
  };
}

/** Settings of the command line, which needs neither a server nor a database. */
export function readCliConfig(env: Record<string, string | undefined> = process.env): {
  /** Absolute. */
  cacheDir: string;
  server: string | null;
  apiKey: string | null;
  ci: CiEnvironment;
} {
  const present = (name: string) => env[name]?.trim() || null;
  const cache =
    present('HINDSIGHT_CACHE_DIR') ??
    join(present('XDG_CACHE_HOME') ?? join(homedir(), '.cache'), 'hindsight');
  return {
    cacheDir: resolve(cache),
    server: present('HINDSIGHT_SERVER'),
    apiKey: present('HINDSIGHT_API_KEY'),
    ci: readCiEnvironment(env),
  };
}
