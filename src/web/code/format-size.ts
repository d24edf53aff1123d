/** `1.2 kB` in the reader's language. */
export function formatSize(bytes: number, language: string): string {
  const [unit, divisor] =
    bytes < 1000 ? ['byte', 1] : bytes < 1_000_000 ? ['kilobyte', 1000] : ['megabyte', 1_000_000];
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: unit as string,
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / (divisor as number));
}
