/** Returns the command of this run with its options, for the report that it writes. */
export function ownCommand(script: string): string {
  const options = process.argv.slice(2);
  return ['npm run', script, ...(options.length > 0 ? ['--', ...options] : [])].join(' ');
}
