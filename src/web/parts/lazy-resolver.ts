import type { FieldValues, Resolver } from 'react-hook-form';
import { loadScript } from '../lazy-page.ts';

/** A resolver that is loaded when there is first something to check, so that the form is there sooner. */
export function lazyResolver<In extends FieldValues, Out>(
  load: () => Promise<Resolver<In, unknown, Out>>,
): Resolver<In, unknown, Out> {
  return async (values, context, options) => (await loadScript(load))(values, context, options);
}
