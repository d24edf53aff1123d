import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form';
import { translateError } from '../api.ts';
import { loadScript, ScriptLoadError } from '../lazy-page.ts';

/**
 * Resolver that is loaded on first validation, so that the form renders sooner. When it cannot be loaded, the first field says so:
 * only a page that is loaded again repeats it.
 */
export function lazyResolver<In extends FieldValues, Out>(
  load: () => Promise<Resolver<In, unknown, Out>>,
): Resolver<In, unknown, Out> {
  return async (values, context, options) => {
    try {
      const resolve = await loadScript(load);
      return await resolve(values, context, options);
    } catch (error) {
      if (!(error instanceof ScriptLoadError)) throw error;
      const [name = ''] = options.names ?? Object.keys(values);
      // Without a type, as errors of the server have none.
      const failure = { type: '', message: translateError('form_not_loaded') ?? error.message };
      return { values: {}, errors: { [name]: failure } as FieldErrors<In> };
    }
  };
}
