import type { ComponentType } from 'react';

const RETRY_AFTER_MS = [500, 2_000];

/** The script of a page could not be loaded: most often a new version has replaced it. */
export class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded';
}

/**
 * A page that is loaded when it is first shown: `lazy: page(() => import('./projects-page.tsx'))`, where the module
 * exports `Component`. A failed load is tried again twice; then throws PageNotLoaded.
 */
export function page(load: () => Promise<{ Component: ComponentType }>) {
  return async (): Promise<{ Component: ComponentType }> => {
    for (const delay of RETRY_AFTER_MS) {
      try {
        return { Component: (await load()).Component };
      } catch {
        await new Promise((resolve) => setTimeout(resolve, delay));
      }
    }
    try {
      return { Component: (await load()).Component };
    } catch (cause) {
      throw new PageNotLoaded('The page could not be loaded', { cause });
    }
  };
}
