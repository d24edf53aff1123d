/** A text taken apart by how it is set. Each part may be empty. */
export interface TextZones {
  title: string;
  blocks: string;
  quoted: string;
  prose: string;
}

/** Lines of traces in the languages that print them: `at f (file:1:2)`, `File "x", line 1`, `file.go:12 +0x1f`. */
const TRACE_LINE = /^\s*(?:at\s+\S|File "|Traceback \(|Caused by:|goroutine \d|thread '|\S+\.\w{1,5}:\d+)/;

const FENCE = /^\s*(?:```|~~~)/;

/** Takes a report apart, line by line: a fence opens and closes a block, four spaces or a tab make a line code. */
export function splitZones(text: string): TextZones {
  const views: TextZones = { title: '', blocks: '', quoted: '', prose: '' };
  let fenced = false;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) {
      fenced = !fenced;
    } else if (fenced || line.startsWith('    ') || line.startsWith('\t') || TRACE_LINE.test(line)) {
      views.blocks += `${line}\n`;
    } else {
      addProse(views, line);
    }
  }
  return views;
}

function addProse(views: TextZones, line: string): void {
  if (views.title === '') views.title = line.trim();
  // Odd pieces lie between backticks; an unpaired last one opens nothing.
  const pieces = line.split('`');
  const paired = pieces.length % 2 === 1 ? pieces.length : pieces.length - 1;
  pieces.forEach((piece, index) => {
    if (index % 2 === 1 && index < paired) views.quoted += `${piece}\n`;
    else views.prose += `${piece} `;
  });
  views.prose += '\n';
}
