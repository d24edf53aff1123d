import { Fragment } from 'react';
import type { Sentence } from '#contract/common.ts';
import { useTranslation } from '../i18n.ts';
import { shortenHash, splitBackticks } from './repository-text.ts';
import { Verbatim } from './verbatim.tsx';

/**
 * Renders a localized sentence; text in backticks is code. The code `debug.why.frame` is the key `why.frame` of
 * the namespace `debug`, with the English text as the default.
 */
export function SentenceText({ sentence }: { sentence: Sentence }) {
  return <CodeSpans text={useSentence()(sentence)} />;
}

/** Formats sentences as plain text. */
export function useSentence(): (sentence: Sentence) => string {
  const { t } = useTranslation();
  return ({ code, params, text }) => {
    const [feature = '', ...key] = code.split('.');
    return t(key.join('.'), { ...params, ns: feature, defaultValue: text });
  };
}

/** Text with backtick-quoted parts in monospace. */
export function CodeSpans({ text }: { text: string }) {
  return splitBackticks(text).map((part, index) => (
    // Parts never move: the index is their identity.
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <Fragment key={index}>
      {part.repository ? (
        <code className="font-mono text-[.94em] break-words">
          <Verbatim text={shortenHash(part.text)} />
        </code>
      ) : (
        <Verbatim text={part.text} />
      )}
    </Fragment>
  ));
}
