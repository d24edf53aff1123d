/** Tests a path from the root of a repository. */
export type PathMatcher = (path: string) => boolean;

/**
 * Compiles patterns as in `.gitignore`, without negation: `docs/`, `*.snap`, `/packages/*\/fixtures`. A pattern matches a file
 * or a folder with all that it contains; one without a slash matches at any depth. Matching takes linear space and at most
 * length × length steps, whatever the pattern.
 */
export function compilePathPatterns(patterns: readonly string[]): PathMatcher {
  const compiled = patterns.map(toSegments).filter((segments) => segments.length > 0);
  if (compiled.length === 0) return () => false;
  return (path) => {
    const segments = path.split('/');
    return compiled.some((pattern) => matchesPrefix(pattern, segments));
  };
}

function toSegments(pattern: string): string[] {
  const trimmed = pattern.trim().replace(/\/+$/, '');
  const isAnchored = trimmed.includes('/');
  const segments = trimmed.split('/').filter((segment) => segment !== '' && segment !== '.');
  return isAnchored || segments.length === 0 ? segments : ['**', ...segments];
}

/** True when the pattern matches the path or one of its folders. `**` stands for any number of segments. */
function matchesPrefix(pattern: readonly string[], path: readonly string[]): boolean {
  return matchWildcards(pattern, path, {
    isStar: (part) => part === '**',
    isEqual: (part, segment) => matchesSegment(part, segment),
    allowRest: true,
  });
}

/** `*` stands for any characters of a segment, `?` for one. */
function matchesSegment(pattern: string, segment: string): boolean {
  return matchWildcards([...pattern], [...segment], {
    isStar: (part) => part === '*',
    isEqual: (part, character) => part === '?' || part === character,
    allowRest: false,
  });
}

interface WildcardRules {
  isStar(part: string): boolean;
  isEqual(part: string, item: string): boolean;
  /** The pattern may match a beginning of the items. */
  allowRest: boolean;
}

/** Matches with backtracking to the last star only, which is sufficient and takes pattern × items steps at most. */
function matchWildcards(
  pattern: readonly string[],
  items: readonly string[],
  { isStar, isEqual, allowRest }: WildcardRules,
): boolean {
  let at = 0;
  let star = -1;
  let resumeAt = 0;
  for (let item = 0; item < items.length; ) {
    if (at === pattern.length && allowRest) return true;
    const part = pattern[at];
    if (part !== undefined && isStar(part)) {
      star = at++;
      resumeAt = item;
    } else if (part !== undefined && isEqual(part, items[item]!)) {
      at++;
      item++;
    } else if (star >= 0) {
      at = star + 1;
      item = ++resumeAt;
    } else return false;
  }
  while (at < pattern.length && isStar(pattern[at]!)) at++;
  return at === pattern.length;
}
