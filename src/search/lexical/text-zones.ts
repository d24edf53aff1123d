/** A text split into zones by its formatting. Each may be empty. */
interface TextZones {
  title: string;
  codeBlocks: string;
  inlineCode: string;
  prose: string;
}

/** Stack trace lines of several languages: `at f (file:1:2)`, `File "x", line 1`, `file.go:12 +0x1f`. */
const TRACE_LINE = /^\s*(?:at\s+\S|File "|Traceback \(|Caused by:|goroutine \d|thread '|\S+\.\w{1,5}:\d+)/;

const FENCE = /^\s*(?:```|~~~)/;

/** Splits a report line by line: a fence opens and closes a block, four spaces or a tab mark a line of code. */
export function splitZones(text: string): TextZones {
  const zones: TextZones = { title: '', codeBlocks: '', inlineCode: '', prose: '' };
  let fenced = false;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) {
      fenced = !fenced;
    } else if (fenced || line.startsWith('    ') || line.startsWith('\t') || TRACE_LINE.test(line)) {
      zones.codeBlocks += `${line}\n`;
    } else {
      addProse(zones, line);
    }
  }
  return zones;
}

function addProse(zones: TextZones, line: string): void {
  if (zones.title === '') zones.title = line.trim();
  // Odd pieces lie between backticks; an unpaired last backtick is ignored.
  const pieces = line.split('`');
  const paired = pieces.length % 2 === 1 ? pieces.length : pieces.length - 1;
  pieces.forEach((piece, index) => {
    if (index % 2 === 1 && index < paired) zones.inlineCode += `${piece}\n`;
    else zones.prose += `${piece} `;
  });
  zones.prose += '\n';
}
