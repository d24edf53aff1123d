import type { ComponentProps, ReactNode } from 'react';

interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'role'> {
  label: ReactNode;
}

/** Switch with a leading label. */
export function Switch({ label, ...rest }: SwitchProps) {
  return (
    <label className="flex min-h-8 items-center justify-between gap-4">
      <span>{label}</span>
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox tells its state by itself.
        role="switch"
        {...rest}
        className="h-4.5 w-8 shrink-0 appearance-none rounded-full border border-control bg-surface p-0.5 transition-colors duration-150 before:block before:size-3 before:rounded-full before:bg-control before:transition-transform before:duration-150 checked:border-action checked:bg-action checked:before:translate-x-3.5 checked:before:bg-on-action"
      />
    </label>
  );
}
