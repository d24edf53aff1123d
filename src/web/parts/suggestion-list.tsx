import { clsx } from 'clsx';
import { Verbatim } from './verbatim.tsx';

interface Suggestion {
  /** Identity, and what is taken. */
  value: string;
  /** Shown in its place. */
  label?: string;
  detail: string;
}

interface SuggestionListProps<S extends Suggestion> {
  /** Id that the input names in `aria-controls`; options have the ids `ID-0`, `ID-1`, … */
  id: string;
  label: string;
  suggestions: readonly S[];
  /** Index of the chosen one; -1 for none. */
  active: number;
  onTake: (suggestion: S) => void;
}

/** Completions below a combobox, whose input keeps the focus. */
export function SuggestionList<S extends Suggestion>({
  id,
  label,
  suggestions,
  active,
  onTake,
}: SuggestionListProps<S>) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={label}
      className="absolute inset-x-0 top-full z-30 mt-1 max-h-[min(50vh,18rem)] overflow-y-auto rounded-lg border border-border bg-surface py-1 shadow-overlay"
    >
      {suggestions.map((suggestion, index) => (
        // The keys of the input choose.
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above
        <div
          key={suggestion.value}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          ref={index === active ? reveal : undefined}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(suggestion)}
          className={clsx(
            'flex h-8 cursor-default items-center gap-4 px-3',
            index === active ? 'bg-select' : 'hover:bg-select',
          )}
        >
          <span className="min-w-0 truncate font-mono text-code">
            <Verbatim text={suggestion.label ?? suggestion.value} />
          </span>
          <span className="ml-auto max-w-[60%] min-w-0 shrink-0 truncate text-sm text-muted tabular-nums">
            <Verbatim text={suggestion.detail} />
          </span>
        </div>
      ))}
    </div>
  );
}

function reveal(row: HTMLElement | null): void {
  row?.scrollIntoView({ block: 'nearest' });
}
