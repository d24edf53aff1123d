/** Names of languages whose own spelling differs from the index's by more than a capital letter. */
const NAMES: Readonly<Record<string, string>> = {
  c: 'C',
  cpp: 'C++',
  csharp: 'C#',
  css: 'CSS',
  fsharp: 'F#',
  go: 'Go',
  graphql: 'GraphQL',
  html: 'HTML',
  javascript: 'JavaScript',
  json: 'JSON',
  jsx: 'JSX',
  latex: 'LaTeX',
  objc: 'Objective-C',
  ocaml: 'OCaml',
  php: 'PHP',
  powershell: 'PowerShell',
  protobuf: 'Protocol Buffers',
  restructuredtext: 'reStructuredText',
  scss: 'SCSS',
  shell: 'Shell',
  sql: 'SQL',
  toml: 'TOML',
  tsx: 'TSX',
  typescript: 'TypeScript',
  xml: 'XML',
  yaml: 'YAML',
};

/** Name of a language as people write it. */
export function languageName(name: string): string {
  return NAMES[name] ?? `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}
