import type { FormEvent, ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

interface AuthFormProps {
  /** Validates and submits the fields. */
  onSubmit: (event: FormEvent) => Promise<void>;
  /** Error above the fields. */
  failure: ReactNode;
  /** Label of the button. */
  submit: string;
  submitting: boolean;
  children: ReactNode;
}

/** Form of an authentication page: error, fields, submit button. */
export function AuthForm({ onSubmit, failure, submit, submitting, children }: AuthFormProps) {
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="flex flex-col gap-4">
      {failure && <Notice kind="error">{failure}</Notice>}
      {children}
      <Button type="submit" kind="primary" loading={submitting}>
        {submit}
      </Button>
    </form>
  );
}
