import { Component, lazy, type ReactNode, Suspense } from 'react';
import type { MarkdownBodyProps } from './markdown-body.tsx';
import { stripMarkdown } from './markdown-plain.ts';

const MarkdownBody = lazy(() =>
  import('./markdown-body.tsx').then((module) => ({ default: module.MarkdownBody })),
);

/** Lazy Markdown. Plain text is shown until the parser has loaded, and when it fails. */
export function MarkdownView(props: MarkdownBodyProps) {
  const { text } = props;
  const plain = <pre className="font-mono text-code whitespace-pre-wrap">{text}</pre>;
  return (
    <PlainOnError plain={plain} key={text}>
      <Suspense fallback={<MarkdownFallback text={text} />}>
        <MarkdownBody {...props} />
      </Suspense>
    </PlainOnError>
  );
}

function MarkdownFallback({ text }: { text: string }) {
  return (
    <div aria-busy className="flex max-w-[68ch] flex-col gap-3 text-answer break-words">
      {stripMarkdown(text).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: shown once, until the parser is there
        <p key={index} className="whitespace-pre-line">
          {block}
        </p>
      ))}
    </div>
  );
}

class PlainOnError extends Component<{ plain: ReactNode; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? this.props.plain : this.props.children;
  }
}
