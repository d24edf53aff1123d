import { z } from 'zod';
import { DEFAULT_INDEX_MB } from '#memory/limits.ts';
import { oidcIssuers } from './oidc-issuers.ts';
import {
  decimal,
  folderList,
  headerList,
  hostName,
  integer,
  list,
  modelUrl,
  objectStoreUrl,
  oneOf,
  optionalSetting,
  origin,
  setting,
  text,
  url,
} from './setting.ts';

/** Listening address and storage of the server. */
export const serverSettings = {
  HOST: setting(text, {
    preset: '127.0.0.1',
    doc: 'IP to listen on; on any other, the first account needs the setup code that the server prints',
  }),
  PORT: setting(integer(0, 65_535), { preset: '3000', doc: '0 to 65535; 0 picks a free port' }),
  PUBLIC_URL: optionalSetting(
    origin,
    'URL of the server as users type it, such as `https://hindsight.example.org`; links in emails start with it, and with https cookies are `Secure` and bound to this host',
  ),
  TRUST_PROXY: setting(list, {
    preset: '',
    doc: 'IPs of reverse proxies, separated by commas; `X-Forwarded-For` is read only from them',
  }),
  ALLOWED_HOSTS: setting(list.pipe(z.array(hostName)), {
    preset: '',
    doc: 'host names that the server answers besides `localhost`, IPs and the host of `PUBLIC_URL`, separated by commas; `.example.org` includes `example.org` and all its subdomains',
  }),
  CORS_ORIGINS: setting(list.pipe(z.array(origin)), {
    preset: '',
    doc: 'origins of other sites whose pages may call the API, separated by commas',
  }),
  DATA_DIR: setting(text, { preset: './data', doc: 'folder of all data' }),
  DISK_RESERVE_MB: setting(integer(0, 1_048_576), {
    preset: '64',
    doc: 'disk space reserved in `DATA_DIR`, at most a sixteenth of the disk; with less than that free, writes are answered with 507 and indexing pauses, while reading and signing in continue; `0` reserves none',
  }),
  DATABASE_URL: optionalSetting(
    text.regex(/^postgres(?:ql)?:\/\//, 'must begin with postgres://'),
    'PostgreSQL (14 or newer) to use instead of the embedded one',
  ),
  DATABASE_DIRECT_URL: optionalSetting(
    text.regex(/^postgres(?:ql)?:\/\//, 'must begin with postgres://'),
    'the same database without a connection pooler, where `DATABASE_URL` names a pooler in transaction mode such as PgBouncer: for LISTEN, locks of sessions, jobs and migrations',
    '`DATABASE_URL`',
  ),
  ROLE: setting(oneOf('all', 'server', 'worker'), {
    preset: 'all',
    doc: '`server` answers requests, `worker` runs jobs, `all` does both; the first two need `DATABASE_URL`, and a `DATA_DIR` that all of them share; with `OBJECT_STORE_URL` each process has a `DATA_DIR` of its own',
  }),
  WORKER_PORT: optionalSetting(
    integer(1, 65_535),
    'port on which a `worker` serves `/metrics`, `/healthz` and `/readyz`, and nothing else',
    'no port',
  ),
  SECRET_KEY: optionalSetting(
    text,
    'signs tokens and encrypts stored secrets; several keys separated by commas rotate it: the first encrypts, all decrypt',
    'generated at first start',
  ),
  MAX_BUFFERED_MB: setting(integer(40, 65_536), {
    preset: '64',
    doc: '40 to 65536; request bodies in memory at once, at most half of them from one IP and a quarter from one user; beyond it the answer is 503 with `Retry-After`',
  }),
  MAX_CONNECTIONS_PER_IP: setting(integer(1, 1_000_000), {
    preset: '1000',
    doc: 'open connections of one IP; not enforced with `TRUST_PROXY`, where the proxy limits them',
  }),
  MAX_REQUESTS_IN_FLIGHT: setting(integer(2, 1_000_000), {
    preset: '400',
    doc: 'requests that one process answers at once, at most half of them from one IP; beyond it the answer is 503 with `Retry-After`',
  }),
  MAX_EVENT_LOOP_DELAY_MS: setting(integer(0, 60_000), {
    preset: '1000',
    doc: 'delay of the event loop, averaged over half a second, beyond which requests are answered with 503 and `Retry-After`; `0` for no limit',
  }),
  LOG_LEVEL: setting(oneOf('warn', 'info', 'fatal', 'error', 'debug', 'trace', 'silent'), {
    preset: 'warn',
    doc: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
  }),
};

/** Days for which records are kept, each from its end or its last use. */
const days = (preset: string, doc: string) => setting(integer(1, 36_500), { preset, doc });

/** Metrics, traces and retention. */
export const operationSettings = {
  METRICS_TOKEN: optionalSetting(
    text.min(16, 'must have at least 16 characters'),
    'bearer token with which other machines read `/metrics`; without it only this machine can, directly',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalSetting(
    url,
    'collector of OpenTelemetry that gets traces and logs by OTLP over HTTP, such as `http://collector:4318`',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: setting(headerList, {
    preset: '',
    doc: 'headers for the collector as `name=value`, separated by commas',
  }),
  RETENTION_SESSIONS_DAYS: days('30', 'days for which ended sign-ins are kept'),
  RETENTION_NOTIFICATIONS_DAYS: days('365', 'days for which read notifications are kept'),
  RETENTION_AUDIT_DAYS: days('730', 'days for which the audit log is kept'),
  RETENTION_OUTGOING_DAYS: days('180', 'days for which the log of outgoing requests is kept'),
};

/** Accounts, sign-in and email. */
export const accountSettings = {
  SIGNUP: setting(oneOf('open', 'invite', 'closed'), {
    preset: 'open',
    doc: '`invite` requires an invitation, `closed` accepts no new accounts; an administrator can change it on the admin page',
  }),
  PASSWORD_MIN_LENGTH: setting(integer(8, 64), { preset: '8', doc: '8 to 64 characters' }),
  PUBLIC_INSTANCE: setting(oneOf('0', '1'), {
    preset: '0',
    doc: '`1` enforces further limits, for a server that anyone may register on',
  }),
  SMTP_URL: optionalSetting(
    text.regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://'),
    'mail server, such as `smtps://user:password@host`; without it emails are written to `DATA_DIR/mail`, named in the log, and email addresses are not confirmed',
  ),
  MAIL_FROM: optionalSetting(text, 'sender of emails; required with `SMTP_URL`'),
  GITHUB_CLIENT_ID: optionalSetting(
    text,
    'sign-in with GitHub; its callback URL is `PUBLIC_URL/api/auth/social/github/callback`',
  ),
  GITHUB_CLIENT_SECRET: optionalSetting(text, 'required with `GITHUB_CLIENT_ID`'),
  GITHUB_URL: setting(url, { preset: 'https://github.com', doc: 'URL of a GitHub Enterprise server' }),
  GITHUB_API_URL: setting(url, {
    preset: 'https://api.github.com',
    doc: 'API URL of a GitHub Enterprise server',
  }),
  GOOGLE_CLIENT_ID: optionalSetting(
    text,
    'sign-in with Google; its callback URL is `PUBLIC_URL/api/auth/social/google/callback`',
  ),
  GOOGLE_CLIENT_SECRET: optionalSetting(text, 'required with `GOOGLE_CLIENT_ID`'),
  GOOGLE_ISSUER_URL: setting(url, {
    preset: 'https://accounts.google.com',
    doc: 'URL of another OpenID Connect issuer',
  }),
  OIDC_ISSUERS: setting(oidcIssuers, {
    preset: '[]',
    doc: 'OpenID Connect issuers as a JSON array; see [single-sign-on.md](single-sign-on.md)',
  }),
};

/** Repositories and their indexes. */
export const repositorySettings = {
  GIT_ALLOWED_PRIVATE_HOSTS: setting(list, {
    preset: '',
    doc: 'exact `host` or `host:port`, separated by commas, that may be private and may use plain http; all other private hosts are refused',
  }),
  GIT_CA_FILE: optionalSetting(
    text,
    'certificate authorities (PEM) that git servers are verified with, instead of those of the system',
  ),
  GIT_LOCAL_ROOTS: setting(list, {
    preset: '',
    doc: 'local folders, separated by commas, whose repositories any user may connect as `file:///folder/name`; git reads only those owned by the user that runs the server',
  }),
  GIT_MAX_REPO_MB: setting(integer(1, 10_000_000), {
    preset: '5120',
    doc: 'size of one repository on disk, including earlier fetches and what members saved',
  }),
  GIT_MAX_ENTRIES: setting(integer(1, 100_000_000), { preset: '500000', doc: 'files of one tree' }),
  HOST_API_TIMEOUT_S: setting(integer(1, 600), {
    preset: '15',
    doc: 'time limit of one call to the API of a code host',
  }),
  GIT_TIMEOUT_S: setting(integer(1, 604_800), { preset: '3600', doc: 'time limit of one clone or fetch' }),
  GIT_CONCURRENCY: setting(integer(1, 64), {
    preset: '4',
    doc: 'concurrent clones and fetches of one process; each user has at most one',
  }),
  USER_QUOTA_MB: setting(integer(0, 10_000_000), {
    preset: '0',
    shownDefault: '`0`, on a public instance `2048`',
    doc: 'size of what one account saves in all projects; `0` for no limit',
  }),
  GIT_MAX_FILE_KB: setting(integer(1, 1_048_576), {
    preset: '1024',
    doc: 'larger files are listed as skipped; programs may be four times as large',
  }),
  INDEX_MAX_MB: setting(integer(16, 4000), {
    preset: String(DEFAULT_INDEX_MB),
    doc: 'size of each of the two parts of an index, history and code; never more than 256 MB plus four times the size of the repository',
  }),
};

/** The object store. */
export const storageSettings = {
  OBJECT_STORE_URL: optionalSetting(
    objectStoreUrl,
    'bucket of an S3-compatible service that keeps repositories, indexes, embeddings and source maps, such as `https://s3.example.org/hindsight`, or a folder, such as `file:///mnt/hindsight`; `DATA_DIR` is a cache of them then',
    '`DATA_DIR`',
  ),
  OBJECT_STORE_ACCESS_KEY: optionalSetting(text, 'access key of the bucket'),
  OBJECT_STORE_SECRET_KEY: optionalSetting(text, 'secret key of the bucket'),
  OBJECT_STORE_REGION: setting(text.regex(/^[\w-]{1,60}$/, 'must be a region such as eu-central-1'), {
    preset: 'us-east-1',
    doc: 'region of the bucket',
  }),
  DISK_CACHE_MB: setting(integer(64, 100_000_000), {
    preset: '20480',
    doc: 'size of the files from the object store that stay in `DATA_DIR`; the least recently used ones are deleted and fetched again when they are needed',
  }),
};

/** Commands of repositories. */
export const sandboxSettings = {
  SANDBOX: setting(oneOf('auto', 'off'), {
    preset: 'auto',
    doc: '`auto` lets projects run their tests in a sandbox where the server listens on loopback, or after an administrator has allowed it on the admin page; `off` never runs any; a public instance never does',
  }),
  SANDBOX_TOOLCHAINS: setting(folderList, {
    preset: '',
    doc: 'absolute folders of compilers and interpreters, separated by commas, that the sandbox mounts read-only beside `/usr`; their `bin` folders come first on its `PATH`',
  }),
};

const MODEL_NAME =
  'must be provider:model, such as anthropic:claude-sonnet-4-5 or ollama:qwen3; providers are anthropic, openai, google, ollama and openai-compatible';
const EMBEDDING_NAME =
  'must be provider:model, such as openai:text-embedding-3-small or ollama:nomic-embed-text; providers are openai, google, ollama and openai-compatible';

/** The language model and its budget. */
export const modelSettings = {
  MODEL: optionalSetting(
    text.regex(/^(?:anthropic|openai|google|ollama|openai-compatible):\S+$/, MODEL_NAME),
    '`anthropic:…`, `openai:…`, `google:…`, `ollama:…` or `openai-compatible:…`',
  ),
  MODEL_BASE_URL: optionalSetting(modelUrl, 'required with `openai-compatible`', "the provider's"),
  MODEL_API_KEY: optionalSetting(text, 'required with `anthropic`, `openai` and `google`'),
  MODEL_BUDGET_TOKENS_DAY: optionalSetting(
    decimal,
    'input and output tokens of each user per day (UTC)',
    'no limit',
  ),
  MODEL_BUDGET_TOKENS_MONTH: optionalSetting(
    decimal,
    'input and output tokens of each user per month (UTC)',
    'no limit',
  ),
  MODEL_BUDGET_COST_DAY: optionalSetting(
    decimal,
    'cost of each user per day (UTC); requires both prices',
    'no limit',
  ),
  MODEL_BUDGET_COST_MONTH: optionalSetting(
    decimal,
    'cost of each user per month (UTC); requires both prices',
    'no limit',
  ),
  MODEL_PRICE_INPUT: optionalSetting(decimal, 'price of a million input tokens'),
  MODEL_PRICE_OUTPUT: optionalSetting(decimal, 'price of a million output tokens'),
  MODEL_PRICE_CURRENCY: setting(text.max(10, 'must be short, such as EUR'), {
    preset: 'USD',
    doc: 'currency of the prices',
  }),
};

/** The embedding model. */
export const embeddingSettings = {
  EMBEDDING_MODEL: optionalSetting(
    text.regex(/^(?:openai|google|ollama|openai-compatible):\S+$/, EMBEDDING_NAME),
    '`openai:…`, `google:…`, `ollama:…` or `openai-compatible:…`, such as `ollama:nomic-embed-text`',
  ),
  EMBEDDING_BASE_URL: optionalSetting(modelUrl, 'required with `openai-compatible`', "the provider's"),
  EMBEDDING_API_KEY: optionalSetting(text, 'required with `openai` and `google`'),
};

/** The payment gateway. */
export const paymentSettings = {
  RAZORPAY_KEY_ID: optionalSetting(text, 'enables payments, and with them the limits of the plans'),
  RAZORPAY_KEY_SECRET: optionalSetting(text, 'required with `RAZORPAY_KEY_ID`'),
  RAZORPAY_WEBHOOK_SECRET: optionalSetting(
    text,
    'verifies events of the gateway at `/api/payments/webhook`; without it they are refused, and payments are polled',
  ),
  RAZORPAY_API_URL: setting(url, { preset: 'https://api.razorpay.com', doc: 'API URL of the gateway' }),
  RAZORPAY_CHECKOUT_URL: setting(url, {
    preset: 'https://checkout.razorpay.com/v1/checkout.js',
    doc: 'URL of the checkout script',
  }),
  SALES_EMAIL: optionalSetting(
    z.email('must be an email address'),
    'recipient of Contact sales on the Enterprise plan',
    'the administrators',
  ),
  INVOICE_SELLER: optionalSetting(
    text,
    'your name and address on invoices; lines are separated by a vertical bar',
  ),
  INVOICE_TAX_ID: optionalSetting(text, 'your VAT, GST or other number on invoices'),
  TAX_NAME: setting(text.max(20, 'must be short, such as GST'), {
    preset: 'Tax',
    doc: 'name of the tax on invoices, such as GST',
  }),
  TAX_PERCENT: setting(decimal, { preset: '0', doc: 'tax that the prices include, in percent' }),
  TRIAL_REMINDER_DAYS: setting(integer(1, 13), {
    preset: '3',
    doc: 'days before the end of a trial at which its user is reminded, once',
  }),
};
