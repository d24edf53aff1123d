import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { ApiInput } from '#contract/api.ts';
import { ApiError } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { useUpdateProfile } from '../user.ts';
import { applyServerErrors } from './form-errors.ts';
import { lazyResolver } from './lazy-resolver.ts';

type Changes = ApiInput<'PUT /auth/me'>['body'];
type TextField = Exclude<keyof Changes, 'preferences'>;

/** Result of the last submit. */
interface SubmitOutcome {
  saved: boolean;
  failure: string | null;
}

const INITIAL_OUTCOME: SubmitOutcome = { saved: false, failure: null };

/** Form over profile fields: validated by the contract, saved, and applied to the cached profile. */
export function useProfileForm(shown: Changes) {
  const { t } = useTranslation('parts');
  const save = useUpdateProfile();
  const [{ saved, failure }, setOutcome] = useState(INITIAL_OUTCOME);
  const [requiresPassword, setAsksPassword] = useState(false);
  const { register, handleSubmit, setError, reset, formState } = useForm({
    resolver: lazyResolver(async () => (await import('./profile-schema.ts')).profileResolver),
    defaultValues: shown,
  });
  const { errors, isSubmitting, isDirty } = formState;

  return {
    register,
    isSubmitting,
    failure,
    /** No field was changed since the save. */
    saved: saved && !isDirty,
    /** The server requires the current password for a change of email. */
    requiresPassword,
    /** The server's error of a field, or our own text for one that the contract refused. */
    fieldError: (field: TextField) =>
      errors[field] && (errors[field].type ? t(`profile_errors.${field}`) : errors[field].message),
    /** Saves the fields together with `more`. */
    submit: (more: Pick<Changes, 'preferences'>, onSaved?: () => void) =>
      handleSubmit(async (changes) => {
        setOutcome(INITIAL_OUTCOME);
        try {
          const preferences = { ...changes.preferences, ...more.preferences };
          await save({ ...changes, preferences });
          reset({ ...changes, current_password: undefined });
          setAsksPassword(false);
          setOutcome({ saved: true, failure: null });
          onSaved?.();
        } catch (error) {
          if (error instanceof ApiError && error.fields.current_password) setAsksPassword(true);
          setOutcome({ saved: false, failure: applyServerErrors(error, setError, t) });
        }
      }),
  };
}
