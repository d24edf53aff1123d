import { clsx } from 'clsx';
import { ChevronDown, CircleAlert, Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, createContext, type ReactNode, useContext, useId, useState } from 'react';
import { useTranslation } from '../i18n.ts';

interface FieldIds {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
}

const FieldContext = createContext<FieldIds | null>(null);

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** Error text; marks the input as invalid and describes it. */
  error?: string | undefined;
  /** Content at the far end of the label row. */
  aside?: ReactNode;
  children: ReactNode;
}

/** Label, one input, and a hint or error; the input takes its ids from context. */
export function Field({ label, hint, error, aside, children }: FieldProps) {
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        {aside}
      </div>
      <FieldContext value={{ id, describedBy: describedBy || undefined, invalid: Boolean(error) }}>
        {children}
      </FieldContext>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {hint && (
        <div id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </div>
      )}
    </div>
  );
}

/** Error text with an icon. */
function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="flex items-start gap-1.5 text-sm font-medium">
      <CircleAlert aria-hidden="true" className="state-solid mt-0.5 size-3.5 shrink-0" />
      <span>{children}</span>
    </p>
  );
}

const CONTROL =
  'w-full rounded-md border border-control bg-surface px-2.5 text-foreground text-ellipsis placeholder:text-muted transition-colors duration-150 hover:border-muted focus-visible:border-action focus-visible:outline-offset-0 disabled:opacity-60 aria-invalid:border-foreground aria-invalid:shadow-[inset_0_0_0_1px_var(--foreground)]';

function useControl() {
  const field = useContext(FieldContext);
  return {
    id: field?.id,
    'aria-describedby': field?.describedBy,
    'aria-invalid': field?.invalid || undefined,
  };
}

/** Text input. */
export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...useControl()} {...rest} className={clsx(CONTROL, 'h-8', className)} />;
}

/** Multi-line input; use `font-mono` for repository text. */
export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...useControl()} {...rest} className={clsx(CONTROL, 'py-1.5', className)} />;
}

/** Native select. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <div className={clsx('relative', className)}>
      <select {...useControl()} {...rest} className={clsx(CONTROL, 'h-8 appearance-none pr-8')}>
        {children}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-2 right-2 size-4 text-muted"
      />
    </div>
  );
}

/** Password input with a visibility toggle. */
export function PasswordInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  const { t } = useTranslation('ui');
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      <Input {...rest} type={shown ? 'text' : 'password'} className={clsx('pr-9', className)} />
      <button
        type="button"
        aria-label={t(shown ? 'hide_password' : 'show_password')}
        title={t(shown ? 'hide_password' : 'show_password')}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 flex w-8 items-center justify-center rounded-md text-muted hover:text-foreground"
      >
        <Icon aria-hidden="true" className="size-4" />
      </button>
    </div>
  );
}

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode;
  error?: string | undefined;
}

/** Checkbox with label and error. */
export function Checkbox({ label, error, className, ...rest }: CheckboxProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label className={clsx('flex items-start gap-2', className)}>
        <input
          type="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? id : undefined}
          {...rest}
          className="checkbox mt-0.5 size-4 shrink-0"
        />
        <span>{label}</span>
      </label>
      {error && <FieldError id={id}>{error}</FieldError>}
    </div>
  );
}
