import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { Sentence } from '#contract/common.ts';
import { shortenHash, splitBackticks } from './repository-text.ts';
import { Verbatim } from './verbatim.tsx';

/**
 * A sentence from the server in the reader's language; words in backticks are the repository's and stand in mono.
 * The code `debug.why.frame` is the text `why.frame` of the feature `debug`; without one the English text stands in.
 */
export function SentenceText({ sentence }: { sentence: Sentence }) {
  return <CodeSpans text={useSentence()(sentence)} />;
}

/** Renders sentences as plain text, for titles and for those who listen. */
export function useSentence(): (sentence: Sentence) => string {
  const { t } = useTranslation();
  return ({ code, params, text }) => {
    const [feature = '', ...key] = code.split('.');
    return t(key.join('.'), { ...params, ns: feature, defaultValue: text });
  };
}

/** Our words with the repository's, between backticks, in mono. */
export function CodeSpans({ text }: { text: string }) {
  return splitBackticks(text).map((part, index) => (
    // The parts of one sentence never move: their place is their identity.
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
