import type { Kysely } from 'kysely';
import type { EmbedderSettings } from '#assistant/models/embed.ts';
import type { ModelSettings } from '#assistant/models/port.ts';
import type { createPool } from '#assistant/pool.ts';
import type { RateLimits } from '#contract/rate-limits.ts';
import type { Database } from '#db/schema.ts';
import type { Egress } from '#egress/proxy.ts';
import type { Jobs } from '#jobs/queue.ts';
import type { createIndexCache } from '#memory/index/index-cache.ts';
import type { Events } from './events.ts';
import type { ModelBudget } from './llm/model-budget.ts';
import type { QueryEmbedder } from './llm/query-embedding.ts';
import type { DiskSpace } from './project-data/disk-space.ts';
import type { ProjectCancellation } from './project-data/project-cancellation.ts';
import type { RequestQueues } from './rate-limit/request-queues.ts';

/** How to reach Razorpay. */
export interface RazorpayConfig {
  keyId: string;
  keySecret: string;
  /** Null: its events are not accepted. */
  webhookSecret: string | null;
  apiUrl: string;
  checkoutUrl: string;
}

/** The settings that the server reads, already checked and absolute. */
export interface ServerConfig {
  host: string;
  /** The address that people type, such as `https://hindsight.example`; null when nobody said. */
  publicUrl: string | null;
  trustProxy: string[] | false;
  /** Host names that requests may name beside `localhost`, IP addresses and `publicUrl`; `.example.org` with all below it. */
  allowedHosts: string[];
  /** Bytes of request bodies that may be in memory at once. */
  maxBufferedBytes: number;
  maxConnectionsPerIp: number;
  /** Exact origins of other sites whose pages may call the API. */
  corsOrigins: string[];
  dataDir: string;
  /** Who may make an account, unless an admin has chosen otherwise since. */
  signup: 'open' | 'invite' | 'closed';
  /** Without a mail server no address is asked to be confirmed: letters reach the operator alone. */
  mail: { smtpUrl: string | null; from: string };
  signIn: {
    github: { clientId: string; clientSecret: string; url: string; apiUrl: string } | null;
    google: { clientId: string; clientSecret: string; issuerUrl: string } | null;
  };
  passwordMinLength: number;
  /** How often each thing may be done. */
  limits: RateLimits;
  /** The payment gateway; without one every account has every feature. */
  razorpay: RazorpayConfig | null;
  /** Where to write about the Enterprise plan. */
  salesEmail: string | null;
  /** A server for strangers: the limits that protect it from its own users hold. */
  publicInstance: boolean;
  /** The language model that writes answers, or null. */
  model: ModelSettings | null;
  /** What each person may let it take. */
  modelBudget: ModelBudget;
  /** The model that turns code and questions into vectors, or null. */
  embedder: EmbedderSettings | null;
  git: {
    allowedPrivateHosts: string[];
    localRoots: string[];
    /** Certificates that are trusted in place of the system's. */
    caFile?: string | null;
    maxRepoMb: number;
    maxEntries: number;
    timeoutS: number;
    maxFileBytes: number;
    maxIndexMb?: number;
    /** Clones and refreshes at once. */
    concurrency?: number;
  };
  /** Mebibytes that one account may save; 0 for no limit. */
  userQuotaMb?: number;
}

/** Everything that the features work with; handed over once, by name. */
export interface Deps {
  db: Kysely<Database>;
  /** Connections of its own for locks on branches, so that who waits for one takes none from others. */
  lockDb: Kysely<Database>;
  config: ServerConfig;
  /** Secret keys, newest first: the first signs and seals, all of them verify and open. */
  keys: string[];
  jobs: Jobs;
  indexCache: ReturnType<typeof createIndexCache>;
  pool: ReturnType<typeof createPool>;
  queryEmbedder: QueryEmbedder;
  egress: Egress;
  events: Events;
  disk: DiskSpace;
  /** Ends what works on a project when it is deleted. */
  projectCancellation: ProjectCancellation;
  queues: RequestQueues;
  now(): Date;
}
