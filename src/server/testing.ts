import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { type Logger, pino } from 'pino';
import { openEmbedder } from '#assistant/models/embed.ts';
import { createPool } from '#assistant/pool.ts';
import { authRoutes } from '#contract/auth.ts';
import type { ErrorReply } from '#contract/error-reply.ts';
import { DEFAULT_RATE_LIMITS } from '#contract/rate-limits.ts';
import { API_PREFIX, type Route, type RouteInput, type RouteReply } from '#contract/route.ts';
import { connect } from '#db/connect.ts';
import { newId } from '#db/ids.ts';
import { createJobs } from '#db/job-queue.ts';
import { MAX_BRANCH_LOCKS, withProjectLock } from '#db/lock.ts';
import { createNotifier } from '#db/notify.ts';
import { testDatabase } from '#db/testing.ts';
import { startEgress } from '#egress/proxy.ts';
import type { EgressPolicy } from '#egress/remote-url.ts';
import { createMailer } from '#mail/mailer.ts';
import { createIndexCache } from '#memory/index/index-cache.ts';
import { openObjectStore } from '#storage/open-store.ts';
import { createApp } from './app.ts';
import type { Deps, ServerConfig } from './deps.ts';
import { createEvents } from './events.ts';
import { type JobDeps, listJobs, registerJobs } from './jobs.ts';
import { createQueryEmbedder } from './llm/query-embedding.ts';
import { type DiskSpace, watchDiskSpace } from './project-data/disk-space.ts';
import { createProjectCancellation } from './project-data/project-cancellation.ts';
import { openProjectFiles } from './project-data/project-files.ts';
import type { ChangeStep } from './project-data/repositories.ts';
import { listPrivateHosts } from './projects/private-hosts.ts';
import { SAMPLES } from './projects/samples.ts';
import { createRequestQueues } from './rate-limit/request-queues.ts';
import { createMetrics } from './telemetry/metrics.ts';

export interface TestUser {
  id: string;
  username: string;
  email: string;
  password: string;
  accessToken: string;
  refreshToken: string;
}

interface Reply<T> {
  status: number;
  /** Typed by the contract; meaningful for a success only. */
  body: T;
  error: ErrorReply['error'] | undefined;
  raw: LightMyRequestResponse;
}

export interface TestApp {
  app: FastifyInstance;
  deps: Deps;
  /** Database of this app alone, or the one that it shares. */
  databaseUrl: string;
  /** The project lock that jobs use. */
  lock: JobDeps['lock'];
  /** Calls a route of the contract in memory, as a user or a visitor. */
  call<R extends Route>(route: R, input: RouteInput<R>, as?: TestUser | null): Promise<Reply<RouteReply<R>>>;
  /** Sends any request, for calls that the contract does not type. */
  inject(options: InjectOptions, as?: TestUser | null): Promise<LightMyRequestResponse>;
  /** Creates an account; the first one is the administrator. */
  signUp(name?: string): Promise<TestUser>;
  /** Signs in again, for accounts without a second factor. */
  signIn(user: TestUser, userAgent?: string): Promise<TestUser>;
  /** Advances the clock of the app. */
  advance(seconds: number): void;
  close(): Promise<void>;
}

interface TestOptions {
  config?: Partial<ServerConfig>;
  log?: Logger;
  web?: string;
  requestTimeoutMs?: number;
  /** The clock moves by `advance` alone. */
  stopsClock?: boolean;
  /** DNS lookup for the hosts of repositories. */
  lookup?: EgressPolicy['lookup'];
  /** Runs jobs, as a server with `ROLE=all` does. */
  work?: boolean;
  disk?: DiskSpace;
  /** Registers further jobs. */
  define?(deps: Deps): void;
  /** Database of another app, of which this one is a second server. */
  databaseUrl?: string;
  /** Called between the steps of a change of branches. */
  onStep?: (step: ChangeStep) => void;
}

const PASSWORD = 'a quiet harbour at dawn';

/** Creates the server over real dependencies and its own database; it does not listen. */
export async function testApp(options: TestOptions = {}): Promise<TestApp> {
  const log = options.log ?? pino({ level: 'silent' });
  const database = options.databaseUrl ? openDatabase(options.databaseUrl) : await testDatabase();
  const branchLocks = connect(database.url, { max: MAX_BRANCH_LOCKS });
  const projectLocks = connect(database.url, { max: 8 });
  const notifier = await createNotifier(database.url, { log });
  const config = { ...testConfig(await mkdtemp(join(tmpdir(), 'hindsight-app-'))), ...options.config };
  let ahead = 0;
  const started = Date.now();
  const now = () => new Date((options.stopsClock ? started : Date.now()) + ahead);
  const jobs = createJobs({ databaseUrl: database.url, log });
  const embedder = config.embedder && openEmbedder(config.embedder);
  const embedding = { embedder, log, maxBytes: 64 * 2 ** 20, maxStaleMs: 0 };
  const events = createEvents({ notifier, log });
  const queues = createRequestQueues();
  const store = config.objectStore && openObjectStore(config.objectStore);
  const { onStep } = options;
  const projectFiles = openProjectFiles({
    ...{ db: database.db, dataDir: config.dataDir, store },
    ...(onStep && { onStep }),
  });
  const deps: Deps = {
    db: database.db,
    lockDb: branchLocks.db,
    config,
    keys: ['a secret key that only tests know'],
    jobs,
    indexCache: createIndexCache({ maxBytes: 256 * 2 ** 20 }),
    pool: createPool({ threads: 1 }),
    queryEmbedder: createQueryEmbedder(
      { db: database.db, config, jobs, queues, projectFiles, now },
      embedding,
    ),
    egress: await startEgress({
      allowedPrivateHosts: config.git.allowedPrivateHosts,
      samples: SAMPLES,
      loadAllowedHosts: () => listPrivateHosts(database.db),
      lookup: options.lookup,
    }),
    events,
    disk: options.disk ?? watchDiskSpace({ dataDir: config.dataDir, reserveMb: 0, log }),
    projectCancellation: createProjectCancellation(events),
    projectFiles,
    queues,
    metrics: createMetrics({ process: false }),
    telemetry: null,
    now,
  };
  const lock = <T>(id: string, work: () => Promise<T>, signal: AbortSignal) =>
    withProjectLock(projectLocks.pool, id, work, signal);
  if (options.work) {
    options.define?.(deps);
    // Emails become files even where the settings name a mail server.
    const { from } = config.mail;
    const mailer = createMailer({ smtpUrl: null, from, folder: join(config.dataDir, 'mail'), log });
    registerJobs(deps, listJobs({ ...deps, lock, mailer, embedder, log }));
    await deps.jobs.start({ schedule: false });
  }
  const app = await createApp(deps, { log, web: options.web, requestTimeoutMs: options.requestTimeoutMs });
  await app.ready();
  return {
    app,
    deps,
    lock,
    databaseUrl: database.url,
    ...callers(app),
    advance: (seconds) => {
      ahead += seconds * 1000;
    },
    async close() {
      await app.close();
      if (options.work) await deps.jobs.stop();
      await Promise.all([deps.pool.close(), deps.egress.close(), notifier.close()]);
      deps.indexCache.close();
      await Promise.all([branchLocks.close(), projectLocks.close()]);
      await database.close();
      await rm(config.dataDir, { recursive: true, force: true });
    },
  };
}

function openDatabase(url: string): ReturnType<typeof connect> & { url: string } {
  return { ...connect(url), url };
}

function callers(app: FastifyInstance): Pick<TestApp, 'call' | 'inject' | 'signUp' | 'signIn'> {
  const inject: TestApp['inject'] = async (options, as) =>
    await app.inject({
      ...options,
      headers: { ...(as && { authorization: `Bearer ${as.accessToken}` }), ...options.headers },
    });

  const call: TestApp['call'] = async (route, input, as) => {
    const raw = await inject(requestOf(route, input), as);
    const body = raw.json();
    return { status: raw.statusCode, body, error: body.error, raw };
  };

  let users = 0;
  const signUp: TestApp['signUp'] = async (name = `user${users + 1}`) => {
    users += 1;
    const account = { username: name, email: `${name}@example.org`, password: PASSWORD };
    // A separate IP for each account, so that limits by IP do not apply.
    const remoteAddress = `10.1.${users >> 8}.${users & 255}`;
    const raw = await app.inject({ ...requestOf(authRoutes.register, { body: account }), remoteAddress });
    if (raw.statusCode !== 201) throw new Error(`signing up ${name} answered ${raw.body}`);
    const { user, access_token, refresh_token } = raw.json();
    return { ...account, id: user.id, accessToken: access_token, refreshToken: refresh_token };
  };
  const signIn: TestApp['signIn'] = async (user, userAgent = 'Test/1.0') => {
    const body = { username: user.email, password: user.password };
    const { headers, ...request } = requestOf(authRoutes.login, { body });
    const raw = await app.inject({ ...request, headers: { ...headers, 'user-agent': userAgent } });
    const { access_token, refresh_token } = raw.json();
    return { ...user, accessToken: access_token, refreshToken: refresh_token };
  };
  return { inject, call, signUp, signIn };
}

function requestOf<R extends Route>(route: R, input: RouteInput<R>): InjectOptions {
  const {
    params = {},
    query,
    body,
  } = input as {
    params?: Record<string, string>;
    query?: Record<string, string>;
    body?: Record<string, string>;
  };
  const path = route.path.replace(/:(\w+)|\*/g, (part, name) =>
    part === '*' ? (params['*'] ?? '') : encodeURIComponent(params[name] ?? ''),
  );
  const request = { method: route.method, url: API_PREFIX + path, query } satisfies InjectOptions;
  if (body === undefined) return request;
  const isForm = route.kind === 'form';
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const payload = isForm ? new URLSearchParams(body).toString() : JSON.stringify(body);
  return { ...request, payload, headers: { 'content-type': type } };
}

function testConfig(dataDir: string): ServerConfig {
  return {
    host: '127.0.0.1',
    publicUrl: null,
    trustProxy: false,
    allowedHosts: [],
    maxBufferedBytes: 64 * 2 ** 20,
    maxConnectionsPerIp: 1000,
    // Tests share their machine.
    maxRequestsInFlight: 10_000,
    maxEventLoopDelayMs: 0,
    corsOrigins: [],
    dataDir,
    signup: 'open',
    mail: { smtpUrl: null, from: 'Hindsight <hindsight@localhost>' },
    signIn: { github: null, google: null, issuers: [] },
    passwordMinLength: 8,
    limits: DEFAULT_RATE_LIMITS,
    publicInstance: false,
    razorpay: null,
    salesEmail: null,
    invoicing: { seller: { name: '', address: '', tax_id: '' }, tax: { name: '', percent: 0 } },
    trialReminderDays: 3,
    model: null,
    modelBudget: {
      tokens: { day: null, month: null },
      cost: { day: null, month: null },
      prices: null,
    },
    embedder: null,
    objectStore: null,
    diskCacheBytes: 2 ** 30,
    sandbox: { mode: 'auto', toolchains: [] },
    git: {
      allowedPrivateHosts: [],
      localRoots: [],
      maxRepoMb: 5120,
      maxEntries: 500_000,
      timeoutS: 60,
      maxFileBytes: 2 ** 20,
    },
  };
}

/** Inserts a project without a repository, with its members; returns its id. */
export async function insertTestProject(
  { db }: Pick<Deps, 'db'>,
  members: [TestUser, 'owner' | 'editor' | 'viewer'][],
  values: { id?: string; name?: string; git_url?: string; status?: 'queued' | 'ready' } = {},
): Promise<string> {
  const row = { id: newId(), name: 'Words', git_url: 'https://git.example/words', status: 'ready' as const };
  const { id } = await db
    .insertInto('projects')
    .values({ ...row, ...values })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('project_members')
    .values(members.map(([user, role]) => ({ project_id: id, user_id: user.id, role })))
    .execute();
  return id;
}
