import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';

export type ButtonKind = 'primary' | 'plain' | 'danger' | 'ghost';

const BASE =
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap transition-colors duration-150 select-none aria-disabled:cursor-not-allowed aria-disabled:opacity-60 disabled:cursor-not-allowed disabled:opacity-60';

/** In a form or at the head of a page; in a line of text or a row. */
const SIZES = { normal: 'h-8 px-3', small: 'h-6 px-2' };

const KINDS: Record<ButtonKind, string> = {
  primary:
    'border-action bg-action text-on-action not-disabled:hover:border-action-strong not-disabled:hover:bg-action-strong',
  plain: 'border-rule bg-surface text-ink not-disabled:hover:bg-select',
  danger: 'border-ink bg-ink text-ground not-disabled:hover:opacity-85',
  ghost: 'border-transparent bg-transparent text-ink not-disabled:hover:bg-select',
};

/** The classes of a button, for an element that is something else, such as a trigger of an overlay. */
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
  /** At work: pressing again does nothing, focus stays. The label should say what is happening. */
  loading?: boolean;
}

/** A button; `type` is `button` unless said otherwise. Errors and danger are said in words, never in red. */
export function Button({ kind, size, loading = false, className, onClick, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(kind, className, size)}
      aria-disabled={loading || undefined}
      aria-busy={loading || undefined}
      onClick={loading ? (event) => event.preventDefault() : onClick}
    >
      {loading && <Spinner />}
      {children}
    </button>
  );
}

/** A link that looks like a button: it goes somewhere. */
export function ButtonLink({
  kind,
  size,
  className,
  ...rest
}: LinkProps & Pick<ButtonProps, 'kind' | 'size'>) {
  return <Link {...rest} className={buttonClass(kind, className, size)} />;
}

/** Four layers that settle one after the other: the sign for work of unknown length. */
export function Spinner() {
  return (
    <span aria-hidden="true" className="settling">
      <i />
      <i />
      <i />
      <i />
    </span>
  );
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** What it does, in words. */
  label: string;
  icon: ReactNode;
}

/** A square button of 32 px with an icon; its label is spoken and shown as a tip. */
export function IconButton({ label, icon, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...rest}
      className={clsx(
        'inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted transition-colors duration-150 hover:bg-select hover:text-ink disabled:opacity-50',
        className,
      )}
    >
      {icon}
    </button>
  );
}
