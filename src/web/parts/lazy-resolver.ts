import type { FieldValues, Resolver } from 'react-hook-form';
import { loadScript } from '../lazy-page.ts';

/** Resolver that is loaded on first validation, so that the form renders sooner. */
export function lazyResolver<In extends FieldValues, Out>(
  load: () => Promise<Resolver<In, unknown, Out>>,
): Resolver<In, unknown, Out> {
  return async (values, context, options) => (await loadScript(load))(values, context, options);
}
