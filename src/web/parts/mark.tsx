const LAYERS = ['fill-age-1', 'fill-age-2', 'fill-age-4', 'fill-age-5'];

/** Logo: four layers of time, the newest on top, and the thread through them. */
export function Mark({ size = 18 }: { size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 18 18" className="shrink-0">
      {LAYERS.map((age, index) => (
        <rect key={age} x="2" y={2 + index * 3.9} width="14" height="2.4" className={age} />
      ))}
      <path d="M9 0v18" strokeWidth="1.6" className="stroke-cause" />
    </svg>
  );
}
