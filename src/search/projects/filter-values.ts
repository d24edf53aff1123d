/** Short names of languages, as they are typed. */
const LANGUAGE_ALIASES: Readonly<Record<string, string>> = {
  ts: 'typescript',
  js: 'javascript',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  golang: 'go',
  'c++': 'cpp',
  'c#': 'csharp',
  cs: 'csharp',
  kt: 'kotlin',
  sh: 'shell',
  bash: 'shell',
  md: 'markdown',
  yml: 'yaml',
};

/** True for a language by its name or a usual short one. */
export function matchesLanguage(language: string, value: string): boolean {
  const name = value.toLowerCase();
  return language.toLowerCase() === (LANGUAGE_ALIASES[name] ?? name);
}

/**
 * True for a path that contains the value, without regard to case. With `*` (any characters) or `?` (one) the value is a
 * pattern for the whole path, or for its end from a slash on.
 */
export function matchesPath(path: string, value: string): boolean {
  const [text, pattern] = [path.toLowerCase(), value.toLowerCase()];
  if (!/[*?]/.test(pattern)) return text.includes(pattern);
  return matchesWildcard(text, pattern) || matchesWildcard(text, `*/${pattern}`);
}

/** Matches by going back to the last `*` only, in time proportional to both lengths multiplied. */
function matchesWildcard(text: string, pattern: string): boolean {
  let [at, place, star, mark] = [0, 0, -1, 0];
  while (at < text.length) {
    if (place < pattern.length && (pattern[place] === '?' || pattern[place] === text[at])) {
      if (pattern[place] !== '*') {
        at++;
        place++;
        continue;
      }
    }
    if (pattern[place] === '*') {
      star = place++;
      mark = at;
    } else if (star >= 0) {
      place = star + 1;
      at = ++mark;
    } else return false;
  }
  while (pattern[place] === '*') place++;
  return place === pattern.length;
}
