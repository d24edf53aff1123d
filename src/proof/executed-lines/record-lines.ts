import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Names inside the folder of a recording. */
export const RECORDING = { python: 'python', v8: 'v8', go: 'go.out' } as const;

/** Versions of Python whose folder of user packages gets the recorder. */
const PYTHON_MINORS = Array.from({ length: 12 }, (_, index) => 7 + index);

/**
 * Records the lines of functions that run, in files below the root; Python imports it at its start. The class bodies and modules that an
 * import executes say nothing, and neither do functions of other folders, which run at full speed.
 */
const PYTHON_RECORDER = `import os, site, sys
_root, _folder = os.environ.get('HINDSIGHT_ROOT'), os.environ.get('HINDSIGHT_LINES')
_base = os.environ.get('HINDSIGHT_USERBASE') or os.path.expanduser('~/.local')
site.addsitedir(os.path.join(_base, 'lib', 'python%d.%d' % sys.version_info[:2], 'site-packages'))
if _root and _folder:
    import atexit, json, threading
    _lines = {}
    def _line(frame, event, arg):
        if event == 'line':
            _lines.setdefault(frame.f_code.co_filename, set()).add(frame.f_lineno)
        return _line
    def _call(frame, event, arg):
        code = frame.f_code
        is_function = code.co_flags & 1
        return _line if is_function and code.co_filename.startswith(_root) else None
    def _save():
        sys.settrace(None)
        with open(os.path.join(_folder, 'python-%d.json' % os.getpid()), 'w') as out:
            json.dump({path: sorted(lines) for path, lines in list(_lines.items())}, out)
    atexit.register(_save)
    threading.settrace(_call)
    sys.settrace(_call)
`;

/** Prepares a folder for the recording of one run. */
export async function prepareRecording(folder: string): Promise<void> {
  await mkdir(join(folder, RECORDING.v8), { recursive: true });
  for (const minor of PYTHON_MINORS) {
    const packages = join(folder, RECORDING.python, 'lib', `python3.${minor}`, 'site-packages');
    await mkdir(packages, { recursive: true });
    await writeFile(join(packages, 'usercustomize.py'), PYTHON_RECORDER);
  }
}

/**
 * A command that records which lines it executes, by means of the runtimes alone: Node.js and Go have their own, Python imports the
 * recorder. `place` is the prepared folder as the command sees it, without special characters.
 */
export function recordingCommand(command: string, place: string): string {
  const variables = [
    `HINDSIGHT_ROOT="$PWD/" HINDSIGHT_LINES=${place} HINDSIGHT_USERBASE="$PYTHONUSERBASE"`,
    `PYTHONUSERBASE=${place}/${RECORDING.python} NODE_V8_COVERAGE=${place}/${RECORDING.v8}`,
    `GOFLAGS="$GOFLAGS -coverprofile=${place}/${RECORDING.go}"`,
  ];
  return `export ${variables.join(' ')}\n${command}`;
}
