interface ProgressProps {
  /** What is under way, in words. */
  label: string;
  /** From 0 to 1, or null while the end is not known. */
  value: number | null;
}

const LAYERS = ['bg-age-1', 'bg-age-2', 'bg-age-3', 'bg-age-4', 'bg-age-5'];

/** Layers that settle from the oldest on, as a repository is remembered; a plain bar for those who listen. */
export function Progress({ label, value }: ProgressProps) {
  const filled = value === null ? 0 : Math.round(Math.min(Math.max(value, 0), 1) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value === null ? undefined : filled}
      className="flex h-1.5 gap-0.5 overflow-hidden rounded-sm"
    >
      {LAYERS.map((age, index) => (
        <span key={age} className="relative flex-1 bg-rule">
          <span
            className={`absolute inset-y-0 left-0 transition-[width] duration-150 ${LAYERS[LAYERS.length - 1 - index]} ${value === null ? 'waiting w-full' : ''}`}
            style={
              value === null
                ? { animationDelay: `${index * 160}ms` }
                : { width: `${layerFill(filled, index)}%` }
            }
          />
        </span>
      ))}
    </div>
  );
}

/** How full a layer is, in percent: each stands for a fifth of the way. */
function layerFill(percent: number, index: number): number {
  const share = 100 / LAYERS.length;
  return Math.min(Math.max((percent - index * share) / share, 0), 1) * 100;
}
