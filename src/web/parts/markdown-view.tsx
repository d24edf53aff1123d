import { Component, lazy, type ReactNode, Suspense } from 'react';
import type { MarkdownBodyProps } from './markdown-body.tsx';

const MarkdownBody = lazy(() =>
  import('./markdown-body.tsx').then((module) => ({ default: module.MarkdownBody })),
);

/** Markdown from an answer. The parser is loaded with the first use; text that it can't take is shown as it is. */
export function MarkdownView(props: MarkdownBodyProps) {
  const { text } = props;
  const plain = <pre className="font-mono text-code whitespace-pre-wrap">{text}</pre>;
  return (
    <PlainOnError plain={plain} key={text}>
      <Suspense fallback={plain}>
        <MarkdownBody {...props} />
      </Suspense>
    </PlainOnError>
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
