import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError } from '#contract/errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Shared by the whole app, since hashing competes for its threads. */
    passwords: Passwords;
  }
}

/** Measured at 27 ms per hash; 64 MiB and three passes took 157 ms, for 4 sign-ins a second. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const SALT_BYTES = 16;

/** Size of the thread pool; hashes beyond the queue are refused. */
const MAX_CONCURRENT = 4;
const MAX_QUEUED = 32;

const MAX_PASSWORD_BYTES = 1024;

const PHC_PREFIX = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$`;

/** Verified for unknown accounts, to take the same time; no password matches it. */
const DUMMY_HASH = `${PHC_PREFIX}${base64(Buffer.alloc(SALT_BYTES))}$${base64(Buffer.alloc(COST.tagLength))}`;

const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2 as never);

interface Passwords {
  /** Hashes a password to a PHC string of argon2id. Throws `unavailable` when too many are queued. */
  hash(password: string): Promise<string>;
  /** True when the password matches; without a hash, false after the same work. Throws `unavailable` when too many are queued. */
  verify(password: string, hash: string | null): Promise<boolean>;
}

/** Creates a hasher with limited concurrency, so that sign-ins do not starve other work. */
export function createPasswords(): Passwords {
  const limitConcurrency = createConcurrencyLimit(MAX_CONCURRENT, MAX_QUEUED);
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const tag = await limitConcurrency(() =>
        derive('argon2id', { ...COST, message: password, nonce: salt }),
      );
      return `${PHC_PREFIX}${base64(salt)}$${base64(tag)}`;
    },
    async verify(password, hash) {
      if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) return false;
      const { cost, salt, tag } = parsePhc(hash ?? DUMMY_HASH);
      const found = await limitConcurrency(() =>
        derive('argon2id', { ...cost, message: password, nonce: salt }),
      );
      return timingSafeEqual(found, tag);
    },
  };
}

/** True when a hash has outdated costs and should be renewed at the next sign-in. */
export function needsRehash(hash: string): boolean {
  return !hash.startsWith(PHC_PREFIX);
}

/** `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<tag>`, both in base64 without padding. */
function parsePhc(text: string) {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(text);
  if (!match) throw new Error('a stored password hash is damaged');
  const [, memory, passes, parallelism, salt = '', tag = ''] = match;
  const tagBytes = Buffer.from(tag, 'base64');
  return {
    cost: {
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      tagLength: tagBytes.length,
    },
    salt: Buffer.from(salt, 'base64'),
    tag: tagBytes,
  };
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

/** Runs at most `maxConcurrent` tasks at a time, in order, and refuses more than `maxQueued` queued ones. */
function createConcurrencyLimit(maxConcurrent: number, maxQueued: number) {
  const queued: (() => void)[] = [];
  let running = 0;
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running >= maxConcurrent) {
      if (queued.length >= maxQueued) {
        throw new AppError('unavailable', 'sign_in_busy', {
          retryAfter: 2,
        });
      }
      await new Promise<void>((go) => queued.push(go));
    } else {
      running += 1;
    }
    try {
      return await task();
    } finally {
      const next = queued.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
