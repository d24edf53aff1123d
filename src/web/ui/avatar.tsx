/** Initial of a user in a ring; always beside the name. */
export function Avatar({ name, large = false }: { name: string; large?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={`inline-flex shrink-0 items-center justify-center rounded-full border border-border font-semibold ${large ? 'size-14 text-title' : 'size-8'}`}
    >
      {[...name][0]?.toUpperCase()}
    </span>
  );
}
