import { Component, type ReactNode, Suspense } from 'react';
import { lazyComponent } from '../lazy-component.tsx';
import type { MarkdownBodyProps } from './markdown-body.tsx';
import { stripMarkdown } from './markdown-plain.ts';

const MarkdownBody = lazyComponent(
  () => import('./markdown-body.tsx').then((module) => module.MarkdownBody),
  { Failed: PlainText },
);

/** Lazy Markdown. Plain text is shown until the parser has loaded, and when it fails. */
export function MarkdownView(props: MarkdownBodyProps) {
  const { text } = props;
  return (
    <PlainOnError plain={<PlainText text={text} />} key={text}>
      <Suspense fallback={<MarkdownFallback text={text} />}>
        <MarkdownBody {...props} />
      </Suspense>
    </PlainOnError>
  );
}

function PlainText({ text }: { text: string }) {
  return <pre className="font-mono text-code whitespace-pre-wrap">{text}</pre>;
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
