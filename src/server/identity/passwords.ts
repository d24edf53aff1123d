import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError } from '#contract/errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** One for the whole app, since all its hashing shares the machine. */
    passwords: Passwords;
  }
}

/** 27 ms each on the machine where it was measured; 64 MiB and three passes took 157 ms and 4 logins a second. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const SALT_BYTES = 16;

/** As many as the thread pool has threads; beyond the queue a login flood is told to wait. */
const MAX_CONCURRENT = 4;
const MAX_QUEUED = 32;

const MAX_PASSWORD_BYTES = 1024;

const PHC_PREFIX = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$`;

/** What is compared when there is no such account: it takes the same work and fits no password. */
const DUMMY_HASH = `${PHC_PREFIX}${base64(Buffer.alloc(SALT_BYTES))}$${base64(Buffer.alloc(COST.tagLength))}`;

const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2 as never);

export interface Passwords {
  /** The password as a PHC string of argon2id. Throws `unavailable` when too many wait. */
  hash(password: string): Promise<string>;
  /** Whether the password fits; without a hash, false after the same work. Throws `unavailable` when too many wait. */
  verify(password: string, hash: string | null): Promise<boolean>;
}

/** Hashes passwords, a few at once, so that logins never take the machine from everybody else. */
export function createPasswords(): Passwords {
  const turn = createConcurrencyLimit(MAX_CONCURRENT, MAX_QUEUED);
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const tag = await turn(() => derive('argon2id', { ...COST, message: password, nonce: salt }));
      return `${PHC_PREFIX}${base64(salt)}$${base64(tag)}`;
    },
    async verify(password, hash) {
      if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) return false;
      const { cost, salt, tag } = parsePhc(hash ?? DUMMY_HASH);
      const found = await turn(() => derive('argon2id', { ...cost, message: password, nonce: salt }));
      return timingSafeEqual(found, tag);
    },
  };
}

/** Whether a hash was made with other costs than today's, so that the next login should renew it. */
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

/** Runs at most `atOnce` works at a time, in order, and refuses when `longest` wait already. */
function createConcurrencyLimit(atOnce: number, longest: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.length >= longest) {
        throw new AppError('unavailable', 'sign_in_busy', {
          retryAfter: 2,
        });
      }
      await new Promise<void>((go) => waiting.push(go));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
