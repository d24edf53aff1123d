import type { ComponentType } from 'react';

const RETRY_DELAYS_MS = [500, 2_000];

/** A script failed to load, most often because a new version has replaced it. */
export class ScriptLoadError extends Error {
  override readonly name = 'ScriptNotLoaded';
}

/** Loads a script or its texts with two retries, of which Chromium ignores those of a script. Throws ScriptLoadError. */
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
 * Lazy route: `lazy: lazyPage(() => import('./projects-page.tsx'))`, where the module exports `Component`. Throws
 * ScriptLoadError, which the error boundary answers with an offer to reload.
 */
export function lazyPage(load: () => Promise<{ Component: ComponentType }>) {
  return async () => ({ Component: (await loadScript(load)).Component });
}

/**
 * Marks a promise when it is fulfilled, so that React's `use` reads it at once. Of any other it shows the fallback first, which
 * then stays for 300 ms.
 */
export function readableAtOnce<T>(promise: Promise<T>): Promise<T> {
  promise.then(
    (value) => Object.assign(promise, { status: 'fulfilled', value }),
    // Reported to those who wait for it.
    () => {},
  );
  return promise;
}
