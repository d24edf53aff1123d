import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';

/** Page rendered from Markdown: `# Title` first, then sections. */
export function ProsePage({ text }: { text: string }) {
  return (
    <article className="flex max-w-[68ch] flex-col gap-3 pt-10 text-answer">
      <Markdown remarkPlugins={[remarkGfm]} components={PROSE_COMPONENTS}>
        {text}
      </Markdown>
    </article>
  );
}

/** The first heading of a text. */
export function extractTitle(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? 'Hindsight';
}

/** Elements of Markdown in the design of the static pages. */
export const PROSE_COMPONENTS: Components = {
  h1: ({ children }) => <h1 className="landing-title">{children}</h1>,
  h2: ({ children }) => <h2 className="mt-6 border-t border-border pt-5 text-title">{children}</h2>,
  h3: ({ children }) => <h3 className="mt-3 text-answer">{children}</h3>,
  a: ({ href, children }) => (
    <a href={href} className="link">
      {children}
    </a>
  ),
  ul: ({ children }) => <ul className="flex list-disc flex-col gap-1 pl-5 marker:text-muted">{children}</ul>,
  ol: ({ children }) => (
    <ol className="flex list-decimal flex-col gap-1 pl-6 marker:text-muted">{children}</ol>
  ),
  em: ({ children }) => <em className="text-muted not-italic">{children}</em>,
  code: ({ children }) => <code className="text-[.9em]">{children}</code>,
  pre: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <pre tabIndex={0} className="overflow-x-auto rounded-md border border-border bg-surface px-3 py-2">
      {children}
    </pre>
  ),
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <div tabIndex={0} className="overflow-x-auto">
      <table className="w-full text-base [&_td]:border-t [&_td]:border-border [&_td]:py-1.5 [&_td]:pr-4 [&_td]:align-top [&_th]:py-1.5 [&_th]:pr-4 [&_th]:text-left">
        {children}
      </table>
    </div>
  ),
};
