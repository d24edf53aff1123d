import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { ApiInput } from '#contract/api.ts';
import { ApiError } from '../api.ts';
import { useUpdateProfile } from '../user.ts';
import { applyServerErrors } from './form-errors.ts';
import { lazyResolver } from './lazy-resolver.ts';

type Changes = ApiInput<'PUT /auth/me'>['body'];
type TextField = Exclude<keyof Changes, 'preferences'>;

/** What came of the last try: nothing yet, saved, or a sentence about what went wrong. */
interface SubmitOutcome {
  saved: boolean;
  failure: string | null;
}

const INITIAL_OUTCOME: SubmitOutcome = { saved: false, failure: null };

/** A form over some fields of the profile: checked by the contract, saved, and shown by the whole application. */
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
    /** Since then nothing has been changed. */
    saved: saved && !isDirty,
    /** The server wants to see the current password, since the email changes. */
    requiresPassword,
    /** What the server said of a field, or our own words for what the contract refused. */
    fieldError: (field: TextField) =>
      errors[field] && (errors[field].type ? t(`profile_errors.${field}`) : errors[field].message),
    /** Saves the fields, and `more` with them. */
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
