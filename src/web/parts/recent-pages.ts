import { RECENT_PAGES_KEY } from '../access-token.ts';

/** A page that the user has visited. */
interface RecentPage {
  to: string;
  title: string;
}

interface RecentPages {
  userId: string;
  pages: RecentPage[];
}

const MAX_PAGES = 30;
/** Projects, files, functions, commits, comparisons, answers and chats; not lists or settings. */
const REMEMBERED =
  /^\/(?:projects\/[^/]+(?:\/(?:files|functions|commits|compare)\/.+|\/chat)?|debug\/.+|ide\/.+)$/;

/** Lists the pages that a user has visited in this browser, last first. */
export function readRecentPages(userId: string): RecentPage[] {
  try {
    const stored = JSON.parse(localStorage.getItem(RECENT_PAGES_KEY) ?? 'null') as RecentPages | null;
    return stored?.userId === userId ? stored.pages : [];
  } catch {
    return [];
  }
}

/** Stores a visit in this browser until the user signs out. */
export function saveRecentPage(userId: string, page: RecentPage): void {
  if (!REMEMBERED.test(page.to.replace(/[?#].*$/, '')) || page.title === '') return;
  const others = readRecentPages(userId).filter(({ to }) => to !== page.to);
  const pages: RecentPages = { userId, pages: [page, ...others].slice(0, MAX_PAGES) };
  try {
    localStorage.setItem(RECENT_PAGES_KEY, JSON.stringify(pages));
  } catch {
    // Quota exceeded: the palette goes without.
  }
}
