/** A person's initial in a ring; the name stands beside it in words. */
export function Avatar({ name, large = false }: { name: string; large?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={`inline-flex shrink-0 items-center justify-center rounded-full border border-rule font-semibold ${large ? 'size-14 text-title' : 'size-8'}`}
    >
      {[...name][0]?.toUpperCase()}
    </span>
  );
}
