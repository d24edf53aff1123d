import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';

export type ButtonKind = 'primary' | 'plain' | 'danger' | 'ghost';

const BASE =
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap print:hidden transition-colors duration-150 select-none aria-disabled:cursor-not-allowed aria-disabled:opacity-60 disabled:cursor-not-allowed disabled:opacity-60';

/** Sizes: `normal` in forms and headers, `small` in rows. */
const SIZES = { normal: 'h-8 px-3', small: 'h-6 px-2' };

const KINDS: Record<ButtonKind, string> = {
  primary:
    'border-action bg-action text-on-action not-disabled:hover:border-action-strong not-disabled:hover:bg-action-strong',
  plain: 'border-border bg-surface text-foreground not-disabled:hover:bg-select',
  danger: 'border-foreground bg-foreground text-background not-disabled:hover:opacity-85',
  ghost: 'border-transparent bg-transparent text-foreground not-disabled:hover:bg-select',
};

/** Classes of a button, for other elements such as triggers of overlays. */
export function buttonClass(
  kind: ButtonKind = 'plain',
  className?: string,
  size: keyof typeof SIZES = 'normal',
): string {
  return clsx(BASE, SIZES[size], KINDS[kind], className);
}

interface ButtonProps extends ComponentProps<'button'> {
  kind?: ButtonKind;
  size?: keyof typeof SIZES;
  /** Pending: clicks are ignored, focus stays. The label should state the progress. */
  loading?: boolean;
  /** Reason that the button does nothing now, as its tooltip: clicks are ignored, but it can still be focused. */
  disabledReason?: string | undefined;
}

/** Button; `type` defaults to `button`. Danger is expressed in text, never in red. */
export function Button(props: ButtonProps) {
  const { kind, size, loading = false, disabledReason, className, onClick, children, ...rest } = props;
  const isInactive = loading || disabledReason !== undefined;
  return (
    <button
      type="button"
      {...rest}
      {...(disabledReason !== undefined && { title: disabledReason })}
      className={buttonClass(kind, className, size)}
      aria-disabled={isInactive || undefined}
      aria-busy={loading || undefined}
      onClick={isInactive ? (event) => event.preventDefault() : onClick}
    >
      {loading && <Spinner />}
      {children}
    </button>
  );
}

/** Link styled as a button. */
export function ButtonLink({
  kind,
  size,
  className,
  ...rest
}: LinkProps & Pick<ButtonProps, 'kind' | 'size'>) {
  return <Link {...rest} className={buttonClass(kind, className, size)} />;
}

/** Busy indicator of indeterminate length. */
export function Spinner() {
  return (
    <span aria-hidden="true" className="spinner">
      <i />
      <i />
      <i />
      <i />
    </span>
  );
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** Accessible label and tooltip. */
  label: string;
  icon: ReactNode;
}

/** Icon button of 32 px; its label is also the tooltip. */
export function IconButton({ label, icon, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...rest}
      className={clsx(
        'inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted transition-colors duration-150 hover:bg-select hover:text-foreground disabled:opacity-50',
        className,
      )}
    >
      {icon}
    </button>
  );
}
