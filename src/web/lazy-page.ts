import type { ComponentType } from 'react';

const RETRY_DELAYS_MS = [500, 2_000];

/** A script could not be loaded: most often a new version has replaced it. */
export class ScriptLoadError extends Error {
  override readonly name = 'ScriptNotLoaded';
}

/** Loads a script, trying again twice. Throws ScriptNotLoaded. */
export async function loadScript<T>(load: () => Promise<T>): Promise<T> {
  for (const delay of RETRY_DELAYS_MS) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
  try {
    return await load();
  } catch (cause) {
    throw new ScriptLoadError('A script of the page could not be loaded', { cause });
  }
}

/**
 * A page that is loaded when it is first shown: `lazy: page(() => import('./projects-page.tsx'))`, where the module
 * exports `Component`. Throws ScriptNotLoaded, which the shell answers with an offer to reload.
 */
export function lazyPage(load: () => Promise<{ Component: ComponentType }>) {
  return async () => ({ Component: (await loadScript(load)).Component });
}
