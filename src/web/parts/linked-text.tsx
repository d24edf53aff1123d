import { Fragment, type ReactNode } from 'react';
import { hostCommitUrl, hostIssueUrl } from './code-host.ts';
import { splitHostReferences } from './host-references.ts';
import { Verbatim } from './verbatim.tsx';

interface LinkedTextProps {
  text: string;
  gitUrl: string;
  max?: number;
}

/** Repository text whose `#123` and hashes lead to the code host, where its URLs are known. */
export function LinkedText({ text, gitUrl, max = 4_000 }: LinkedTextProps) {
  const shown = text.slice(0, max);
  return (
    <>
      {splitHostReferences(shown).map(({ text: part, reference }, index) => {
        const url =
          reference === null
            ? null
            : reference.kind === 'commit'
              ? hostCommitUrl(gitUrl, reference.hash)
              : hostIssueUrl(gitUrl, reference);
        return (
          // Pieces never move: the index is their identity.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Fragment key={index}>
            {url === null ? <Verbatim text={part} /> : <Out url={url}>{part}</Out>}
          </Fragment>
        );
      })}
      {text.length > max && <span className="text-muted"> … +{(text.length - max).toLocaleString()}</span>}
    </>
  );
}

function Out({ url, children }: { url: string; children: ReactNode }) {
  return (
    <a href={url} target="_blank" rel="noreferrer noopener" className="link">
      {children}
    </a>
  );
}
