import { pipeline, type Readable, type Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
import { AppError } from '#contract/errors.ts';

/** Bounds of a body before and after decompression. */
interface BodyLimits {
  maxInputBytes: number;
  maxOutputBytes: number;
}

const MIB = 2 ** 20;

/** Output per byte of input beyond which a body counts as a bomb; events compress to about a tenth. */
const MAX_RATIO = 100;
/** Output that any body may have: short repetitive bodies compress better than `MAX_RATIO`. */
const FREE_OUTPUT_BYTES = MIB;
/** Window of Zstandard: a frame may ask for 2 GiB. 8 MiB is what decoders must support (RFC 8878). */
const ZSTD_WINDOW_LOG = 23;

const DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } }),
};

/**
 * Yields the decompressed chunks of a body. Throws `unsupported` for an unknown encoding, `too_large` beyond the limits and
 * for bombs, `bad_request` for damaged data.
 */
export async function* decompress(
  body: Readable,
  encoding: string | undefined,
  { maxInputBytes, maxOutputBytes }: BodyLimits,
): AsyncGenerator<Buffer> {
  const decoder = createDecoder(encoding);
  let [input, output] = [0, 0];
  const count = (chunk: Buffer) => {
    input += chunk.length;
    // A damaged body may have no output at which its input would be checked.
    if (input > maxInputBytes) decoder?.destroy(tooLarge(maxInputBytes));
  };
  if (decoder) pipeline(body.on('data', count), decoder, () => {});
  try {
    for await (const chunk of (decoder ?? body) as AsyncIterable<Buffer>) {
      output += chunk.length;
      if (!decoder) input = output;
      if (input > maxInputBytes) throw tooLarge(maxInputBytes);
      if (output > maxOutputBytes) throw tooLarge(maxOutputBytes);
      if (output > FREE_OUTPUT_BYTES && output > input * MAX_RATIO) throw expandsTooMuch();
      yield chunk;
    }
  } catch (error) {
    throw isDamage(error)
      ? new AppError('bad_request', 'intake_compression_damaged', { cause: error })
      : error;
  }
}

/** Returns null for a body that is not compressed. */
function createDecoder(encoding = 'identity'): Transform | null {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return null;
  const create = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (!create) throw new AppError('unsupported', 'intake_encoding_unsupported');
  return create();
}

/** True for errors of zlib, whose codes are `Z_DATA_ERROR`, `ERR__ERROR_FORMAT_…`, `ZSTD_error_…` and the like. */
function isDamage(error: unknown): boolean {
  const code = String((error as { code?: unknown }).code ?? '');
  return /^(?:Z_|ZSTD_|ERR_(?:_ERROR|PADDING|BROTLI|ZSTD|BUFFER|_))/.test(code);
}

function tooLarge(limit: number): AppError {
  return new AppError('too_large', 'intake_too_large', { params: { limit: Math.floor(limit / MIB) } });
}

function expandsTooMuch(): AppError {
  return new AppError('too_large', 'intake_expands_too_much', { params: { ratio: MAX_RATIO } });
}
