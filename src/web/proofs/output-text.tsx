import { Verbatim } from '../parts/verbatim.tsx';

interface OutputTextProps {
  label: string;
  text: string;
  /** Classes of the height. */
  className?: string;
}

/** Output of a command or a script, which scrolls. */
export function OutputText({ label, text, className = 'max-h-80' }: OutputTextProps) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
      tabIndex={0}
      className={`overflow-auto rounded-md border border-border bg-background ${className}`}
    >
      <pre className="w-max min-w-full px-2.5 py-1.5 font-mono text-code">
        <Verbatim text={text} max={40_000} />
      </pre>
    </section>
  );
}
