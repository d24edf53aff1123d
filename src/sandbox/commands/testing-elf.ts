import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An ELF program of 32 bits: `mov eax, 1; mov ebx, 42; int 0x80`, which exits with 42. */
export function program32(): Buffer {
  const [base, headers] = [0x0804_8000, 84];
  const code = Buffer.from([0xb8, 1, 0, 0, 0, 0xbb, 42, 0, 0, 0, 0xcd, 0x80]);
  const file = Buffer.alloc(headers + code.length);
  file.set([0x7f, 0x45, 0x4c, 0x46, 1, 1, 1]);
  for (const [offset, value] of [
    [16, 2],
    [18, 3],
    [40, 52],
    [42, 32],
    [44, 1],
  ] as const) {
    file.writeUInt16LE(value, offset);
  }
  const size = file.length;
  for (const [offset, value] of [
    [20, 1],
    [24, base + headers],
    [28, 52],
    [52, 1],
    [60, base],
    [64, base],
  ] as const) {
    file.writeUInt32LE(value, offset);
  }
  for (const [offset, value] of [
    [68, size],
    [72, size],
    [76, 5],
    [80, 0x1000],
  ] as const) {
    file.writeUInt32LE(value, offset);
  }
  file.set(code, headers);
  return file;
}

/** True when the kernel runs such programs; one without the 32-bit interface has nothing to filter. */
export function runsProgram32(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-elf-'));
  try {
    const program = join(folder, 'exit42');
    writeFileSync(program, program32(), { mode: 0o755 });
    return spawnSync(program).status === 42;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
