import type { ComponentProps, ReactNode } from 'react';
import { Field, Input, PasswordInput } from '../ui/field.tsx';

interface AccountFieldProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode;
  hint?: ReactNode;
  error: string | undefined;
}

/** The name of an account: a password manager fills it, and no keyboard capitalises or corrects it. */
export function UsernameField({ label, hint, error, ...input }: AccountFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      <Input autoComplete="username" autoCapitalize="none" spellCheck={false} required {...input} />
    </Field>
  );
}

/** The email of an account. */
export function EmailField({ label, hint, error, ...input }: AccountFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      <Input type="email" autoComplete="email" required {...input} />
    </Field>
  );
}

interface PasswordFieldProps extends AccountFieldProps {
  /** Which of the two a password manager has to do with. */
  autoComplete: 'current-password' | 'new-password';
}

/** A password that is known, or one that is to be. */
export function PasswordField({ label, hint, error, ...input }: PasswordFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      <PasswordInput required {...input} />
    </Field>
  );
}
