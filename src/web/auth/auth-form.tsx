import type { FormEvent, ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

interface AuthFormProps {
  /** Checks the fields and sends them. */
  onSubmit: (event: FormEvent) => Promise<void>;
  /** What went wrong, above the fields. */
  failure: ReactNode;
  /** On the button. */
  submit: string;
  submitting: boolean;
  children: ReactNode;
}

/** The form of a page about signing in: what went wrong, the fields, the one thing to do. */
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
