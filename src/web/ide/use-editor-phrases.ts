import { useMemo } from 'react';
import { useTranslation } from '../i18n.ts';

/** Texts of the editor's search panel, as its library names them. */
const PHRASES = [
  'Find',
  'Replace',
  'next',
  'previous',
  'all',
  'match case',
  'regexp',
  'by word',
  'replace',
  'replace all',
  'close',
  'current match',
  'no matches',
  '$1 of $2',
  '$1 of more than $2',
  'on line',
  'replaced $ matches',
  'replaced match on line $',
  'Go to line',
  'go',
];

/** Texts of the editor's own controls in the language of the reader. */
export function useEditorPhrases(): Record<string, string> {
  const { t } = useTranslation('ide');
  return useMemo(() => Object.fromEntries(PHRASES.map((phrase) => [phrase, t(`phrases.${phrase}`)])), [t]);
}
