/** Page languages with scripts between tags. */
const PAGES = new Set(['html', 'svelte', 'vue']);

/**
 * Blanks the text of a page outside `<script>` and `</script>`, so that rows and units stay the same; null for other
 * languages, and for a page without scripts.
 */
export function extractScripts(language: string, text: string): string | null {
  if (!PAGES.has(language)) return null;
  const lower = text.toLowerCase();
  // Lower case may be longer (`İ`), which would shift offsets.
  if (lower.length !== text.length) return null;
  let scripts = '';
  let end = 0;
  for (;;) {
    const tag = lower.indexOf('<script', end);
    const from = tag < 0 ? -1 : lower.indexOf('>', tag) + 1;
    const to = from <= 0 ? -1 : lower.indexOf('</script', from);
    if (to < 0) break;
    scripts += blank(text.slice(end, from)) + text.slice(from, to);
    end = to;
  }
  return end === 0 ? null : scripts + blank(text.slice(end));
}

const blank = (text: string) => text.replace(/[^\n]/g, ' ');
