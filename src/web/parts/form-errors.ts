import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { ApiError } from '../api.ts';
import type { Translate } from '../i18n.ts';

/** Sets the server's field errors and returns the error to show above the form. */
export function applyServerErrors<T extends FieldValues>(
  error: unknown,
  setError: UseFormSetError<T>,
  t: Translate,
): string {
  if (!(error instanceof ApiError)) throw error;
  for (const [field, message] of Object.entries(error.fields)) setError(field as Path<T>, { message });
  return error.code === 'invalid_input' ? t('validation_failed', { ns: 'errors' }) : error.message;
}
