import type { Kysely } from 'kysely';
import type { EmbedderSettings } from '#assistant/models/embed.ts';
import type { ModelSettings } from '#assistant/models/port.ts';
import type { createPool } from '#assistant/pool.ts';
import type { InvoiceSeller, InvoiceTax } from '#contract/billing.ts';
import type { RateLimits } from '#contract/rate-limits.ts';
import type { Jobs } from '#db/job-queue.ts';
import type { Database } from '#db/schema.ts';
import type { Egress } from '#egress/proxy.ts';
import type { createIndexCache } from '#memory/index/index-cache.ts';
import type { ObjectStoreSettings } from '#storage/open-store.ts';
import type { Events } from './events.ts';
import type { ModelBudget } from './llm/model-budget.ts';
import type { QueryEmbedder } from './llm/query-embedding.ts';
import type { DiskSpace } from './project-data/disk-space.ts';
import type { ProjectCancellation } from './project-data/project-cancellation.ts';
import type { ProjectFileStore } from './project-data/project-files.ts';
import type { RequestQueues } from './rate-limit/request-queues.ts';
import type { Metrics } from './telemetry/metrics.ts';
import type { Telemetry } from './telemetry/open-telemetry.ts';

/** Settings of the Razorpay gateway. */
export interface RazorpayConfig {
  keyId: string;
  keySecret: string;
  /** Null to refuse events of the gateway. */
  webhookSecret: string | null;
  apiUrl: string;
  checkoutUrl: string;
}

/** An OpenID Connect issuer and the client of this server there. */
export interface OidcIssuer {
  /** Part of the callback URL. */
  id: string;
  /** Display name. */
  name: string;
  /** URL without a trailing slash. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: string;
  groupsClaim: string;
  adminGroups: string[];
}

/** Validated settings of the server, with absolute paths. */
export interface ServerConfig {
  host: string;
  /** URL of the server as users type it, such as `https://hindsight.example`. */
  publicUrl: string | null;
  trustProxy: string[] | false;
  /** Host names of requests besides `localhost`, IPs and `publicUrl`; `.example.org` includes subdomains. */
  allowedHosts: string[];
  /** Maximum bytes of request bodies in memory. */
  maxBufferedBytes: number;
  maxConnectionsPerIp: number;
  /** Requests being answered at once; further ones are refused with 503. */
  maxRequestsInFlight: number;
  /** Average delay of the event loop beyond which requests are refused with 503; 0 for none. */
  maxEventLoopDelayMs: number;
  /** Origins of other sites that may call the API. */
  corsOrigins: string[];
  /** Bearer token for `/metrics` from other machines; null to refuse them. */
  metricsToken?: string | null;
  /** Days for which records are kept; forever where absent. */
  retentionDays?: { sessions: number; notifications: number; audit: number; outgoing: number };
  dataDir: string;
  /** Sign-up mode unless an administrator has changed it. */
  signup: 'open' | 'invite' | 'closed';
  /** Without a mail server emails are not confirmed, since only the operator can read them. */
  mail: { smtpUrl: string | null; from: string };
  signIn: {
    github: { clientId: string; clientSecret: string; url: string; apiUrl: string } | null;
    google: { clientId: string; clientSecret: string; issuerUrl: string } | null;
    /** OpenID Connect issuers. */
    issuers: OidcIssuer[];
  };
  passwordMinLength: number;
  limits: RateLimits;
  /** Null without payments, when every account has every feature. */
  razorpay: RazorpayConfig | null;
  /** Contact for the Enterprise plan; null: the administrators. */
  salesEmail: string | null;
  /** Operator and tax on invoices. */
  invoicing: { seller: InvoiceSeller; tax: InvoiceTax };
  /** Days before the end of a trial at which its user is reminded. */
  trialReminderDays: number;
  /** Enforces further limits, for a server that anyone may register on. */
  publicInstance: boolean;
  model: ModelSettings | null;
  modelBudget: ModelBudget;
  embedder: EmbedderSettings | null;
  git: {
    allowedPrivateHosts: string[];
    localRoots: string[];
    /** Certificate authorities that replace those of the system. */
    caFile?: string | null;
    maxRepoMb: number;
    maxEntries: number;
    timeoutS: number;
    /** Time limit of one call to a code host's API; 15 unless set. */
    hostApiTimeoutS?: number;
    maxFileBytes: number;
    maxIndexMb?: number;
    /** Concurrent clones and refreshes. */
    concurrency?: number;
  };
  /** Commands of projects: never, or where an administrator or the listening address allows it. */
  sandbox: { mode: 'auto' | 'off'; toolchains: string[] };
  /** Store of large files; null where `dataDir` holds them. */
  objectStore: ObjectStoreSettings | null;
  /** Bytes of files from the object store that stay in `dataDir`. */
  diskCacheBytes: number;
  /** Quota of each account; 0 for no limit. */
  userQuotaMb?: number;
}

/** Dependencies of the features. */
export interface Deps {
  db: Kysely<Database>;
  /** Separate connections for branch locks, so that waiting for a lock does not exhaust the pool. */
  lockDb: Kysely<Database>;
  config: ServerConfig;
  /** Secret keys, newest first: the first signs and encrypts, all verify and decrypt. */
  keys: string[];
  jobs: Jobs;
  indexCache: ReturnType<typeof createIndexCache>;
  pool: ReturnType<typeof createPool>;
  queryEmbedder: QueryEmbedder;
  egress: Egress;
  events: Events;
  disk: DiskSpace;
  projectCancellation: ProjectCancellation;
  projectFiles: ProjectFileStore;
  queues: RequestQueues;
  metrics: Metrics;
  /** Null without a collector of OpenTelemetry. */
  telemetry: Telemetry | null;
  now(): Date;
}
