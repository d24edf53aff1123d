import { type ReactNode, useId } from 'react';

interface SegmentedControlProps<T extends string> {
  legend: ReactNode;
  /** Value → label. */
  options: Record<T, string>;
  value: T;
  onChange: (value: T) => void;
}

/** Segmented control of radio buttons. */
export function SegmentedControl<T extends string>({
  legend,
  options,
  value,
  onChange,
}: SegmentedControlProps<T>) {
  const name = useId();
  return (
    <fieldset className="flex flex-col">
      <legend className="mb-1 font-semibold">{legend}</legend>
      <div className="flex w-fit rounded-md border border-control bg-surface">
        {Object.entries<string>(options).map(([option, words]) => (
          <label
            key={option}
            className="relative flex h-7.5 items-center rounded-md px-3 text-muted transition-colors duration-150 hover:text-foreground has-checked:bg-select has-checked:font-semibold has-checked:text-foreground has-focus-visible:outline-2 has-focus-visible:outline-action"
          >
            <input
              type="radio"
              name={name}
              value={option}
              checked={option === value}
              onChange={() => onChange(option as T)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            {words}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
