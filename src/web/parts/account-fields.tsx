import type { ComponentProps, ReactNode } from 'react';
import { Field, Input, PasswordInput } from '../ui/field.tsx';

interface AccountFieldProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode;
  hint?: ReactNode;
  error: string | undefined;
}

/** Username input: filled by password managers, not capitalized or corrected. */
export function UsernameField({ label, hint, error, ...input }: AccountFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      <Input autoComplete="username" autoCapitalize="none" spellCheck={false} required {...input} />
    </Field>
  );
}

/** Email input. */
export function EmailField({ label, hint, error, ...input }: AccountFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      <Input type="email" autoComplete="email" required {...input} />
    </Field>
  );
}

interface PasswordFieldProps extends AccountFieldProps {
  /** Hint for password managers. */
  autoComplete: 'current-password' | 'new-password';
}

/** Password input. */
export function PasswordField({ label, hint, error, ...input }: PasswordFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      <PasswordInput required {...input} />
    </Field>
  );
}
