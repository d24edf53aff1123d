import type { SandboxState } from '#contract/admin.ts';
import { AppError } from '#contract/errors.ts';
import { findSandbox, type SandboxSearch } from '#sandbox/commands/find-sandbox.ts';
import type { Deps, ServerConfig } from '../deps.ts';
import { listensBeyondLoopback } from '../http/listening.ts';

type SandboxDeps = Pick<Deps, 'db' | 'config'>;

const SETTING = 'sandbox';
/** Time after which a machine without a sandbox is examined again: bubblewrap may have been installed. */
const RETRY_AFTER_MS = 30_000;

/** The last search on this machine by its settings, with the time until which it holds. */
const searches = new WeakMap<ServerConfig, { result: Promise<SandboxSearch>; until: number }>();

/** Finds the sandbox for commands of projects, or the reason why this server runs none. */
export async function openCommandSandbox(deps: SandboxDeps): Promise<SandboxSearch> {
  const { config } = deps;
  if (config.sandbox.mode === 'off') return { unavailable: 'off', detail: '' };
  if (config.publicInstance) return { unavailable: 'public_instance', detail: '' };
  if (!(await isEnabled(deps))) return { unavailable: 'not_enabled', detail: '' };
  return await searchMachine(config);
}

/** State of the sandbox for administrators. */
export async function readSandboxState(deps: SandboxDeps): Promise<SandboxState> {
  const [enabled, search] = await Promise.all([isEnabled(deps), openCommandSandbox(deps)]);
  return {
    enabled,
    can_change: canChange(deps.config),
    ...('sandbox' in search
      ? { readiness: 'ready' as const, detail: '' }
      : { readiness: search.unavailable, detail: search.detail.slice(0, 1000) }),
  };
}

/** Saves an administrator's choice. Throws `conflict` where the environment decides. */
export async function saveSandboxSwitch(
  { db, config, now }: SandboxDeps & Pick<Deps, 'now'>,
  enabled: boolean,
): Promise<void> {
  if (!canChange(config)) {
    const key = config.publicInstance ? 'sandbox_public_instance' : 'sandbox_off';
    throw new AppError('conflict', key, { reason: 'sandbox_off' });
  }
  const value = JSON.stringify({ enabled });
  await db
    .insertInto('settings')
    .values({ key: SETTING, value, updated_at: now() })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updated_at: now() }))
    .execute();
}

function canChange({ sandbox, publicInstance }: ServerConfig): boolean {
  return sandbox.mode === 'auto' && !publicInstance;
}

/** An administrator's choice; without one, true where only users of this machine reach the server. */
async function isEnabled({ db, config }: SandboxDeps): Promise<boolean> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', SETTING).executeTakeFirst();
  return (row?.value as { enabled?: boolean } | undefined)?.enabled ?? isLocal(config);
}

/** Behind a reverse proxy a server listens on loopback as well, and others reach it. */
function isLocal({ host, publicUrl, trustProxy }: ServerConfig): boolean {
  const published = publicUrl === null ? host : new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  return trustProxy === false && [host, published].every((name) => !listensBeyondLoopback({ host: name }));
}

async function searchMachine(config: ServerConfig): Promise<SandboxSearch> {
  const known = searches.get(config);
  if (known && known.until > performance.now()) return await known.result;
  const { dataDir, sandbox } = config;
  const search = {
    result: findSandbox({ dataDir, toolchains: sandbox.toolchains }),
    until: Number.POSITIVE_INFINITY,
  };
  searches.set(config, search);
  const result = await search.result;
  if ('unavailable' in result) search.until = performance.now() + RETRY_AFTER_MS;
  return result;
}
