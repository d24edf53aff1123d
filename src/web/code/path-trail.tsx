import { Fragment } from 'react';
import { Link } from 'react-router';
import { Verbatim } from '../parts/verbatim.tsx';
import { folderUrl } from './code-urls.ts';

interface PathTrailProps {
  projectId: string;
  /** Name of the root. */
  root: string;
  path: string;
  revision: string | null;
}

/** A path whose folders are links; its last name is the page. */
export function PathTrail({ projectId, root, path, revision }: PathTrailProps) {
  const names = path === '' ? [] : path.split('/');
  return (
    <>
      {names.length === 0 ? (
        <span>{root}</span>
      ) : (
        <Link to={folderUrl(projectId, '', revision)} className="link">
          {root}
        </Link>
      )}
      {names.map((name, index) => {
        const own = names.slice(0, index + 1).join('/');
        return (
          <Fragment key={own}>
            <span aria-hidden className="px-1 text-muted">
              /
            </span>
            {index === names.length - 1 ? (
              <Verbatim text={name} />
            ) : (
              <Link to={folderUrl(projectId, own, revision)} className="link">
                <Verbatim text={name} />
              </Link>
            )}
          </Fragment>
        );
      })}
    </>
  );
}
