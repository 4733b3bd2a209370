/**
 * TensorBoard's event files: `Event` messages (protocol buffers) in TFRecord frames, each with a masked CRC-32C of its length
 * and of its bytes. Scalars and images are written; `tensorboard --logdir runs` shows them.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { codeOf } from '../errno.ts';
import { UntangleError } from '../errors.ts';

export interface EventWriter {
  readonly path: string;
  /** Numbers by name; a slash in a name makes a group on the screen. */
  scalars(step: number, values: Record<string, number>): void;
  /** A picture, as the bytes of a PNG file. */
  image(step: number, name: string, png: Uint8Array): void;
  close(): void;
}

/**
 * Opens a new event file in `folder`. A run that goes on from a checkpoint gives its first step as `resumedAt`: TensorBoard
 * then forgets what earlier files hold from that step on.
 *
 * @example const events = openEvents('runs/x/tensorboard'); events.scalars(100, { 'terms/loss': 81.2 })
 */
export function openEvents(folder: string, resumedAt?: number): EventWriter {
  mkdirSync(folder, { recursive: true });
  const seconds = `${Math.floor(Date.now() / 1000)}`.padStart(10, '0');
  const { path, file } = createNext(join(folder, `events.out.tfevents.${seconds}.${hostname()}.${process.pid}`));
  const write = (event: BinaryWriter) => {
    writeSync(file, eventFrame(event.finish()));
  };
  write(eventAt(0).tag(3, WireType.LengthDelimited).string('brain.Event:2'));
  if (resumedAt !== undefined) write(sessionStart(resumedAt));
  return {
    path,
    scalars: (step, values) => write(scalarSummary(step, values)),
    image: (step, name, png) => write(imageSummary(step, name, png)),
    close: () => closeSync(file),
  };
}

/** A TFRecord frame: length, its checksum, the bytes, their checksum; all numbers little-endian. */
export function eventFrame(bytes: Uint8Array): Uint8Array {
  const framed = new Uint8Array(bytes.length + 16);
  const view = new DataView(framed.buffer);
  view.setBigUint64(0, BigInt(bytes.length), true);
  view.setUint32(8, masked(crc32c(framed.subarray(0, 8))), true);
  framed.set(bytes, 12);
  view.setUint32(12 + bytes.length, masked(crc32c(bytes)), true);
  return framed;
}

/** CRC-32 with Castagnoli's polynomial, 0x1EDC6F41 (reflected: 0x82F63B78). */
export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) crc = table[(crc ^ bytes[i]) & 0xff] ^ (crc >>> 8);
  return ~crc >>> 0;
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});

/** TFRecord turns and shifts each checksum, so that a checksum of data that holds checksums stays sound. */
const masked = (crc: number) => (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;

/** Creates a file that is not there yet, with a number at the end of its name. */
function createNext(base: string): { path: string; file: number } {
  for (let number = 0; ; number++) {
    const path = `${base}.${number}`;
    try {
      return { path, file: openSync(path, 'wx') };
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}

/** An `Event` with its wall_time (1) and step (2), which is left out where it is 0, as protocol buffers do. */
function eventAt(step: number): BinaryWriter {
  const event = new BinaryWriter().tag(1, WireType.Bit64).double(Date.now() / 1000);
  return step === 0 ? event : event.tag(2, WireType.Varint).int64(step);
}

/** Event.session_log (7) with SessionLog.status (1) = START (1). */
function sessionStart(step: number): BinaryWriter {
  const start = eventAt(step).tag(7, WireType.LengthDelimited).fork();
  return start.tag(1, WireType.Varint).int32(1).join();
}

/** Event.summary (5), in it a Summary.Value (1) for each number: tag (1) and simple_value (2). */
function scalarSummary(step: number, values: Record<string, number>): BinaryWriter {
  const summary = eventAt(step).tag(5, WireType.LengthDelimited).fork();
  for (const [name, value] of Object.entries(values)) {
    summary.tag(1, WireType.LengthDelimited).fork();
    // A float that is too large for 32 bits shows as infinite instead of stopping the run.
    summary.tag(1, WireType.LengthDelimited).string(name).tag(2, WireType.Bit32).float(Math.fround(value));
    summary.join();
  }
  return summary.join();
}

/** Summary.Value with an image (4): height (1), width (2), colorspace (3) and the encoded picture (4). */
function imageSummary(step: number, name: string, png: Uint8Array): BinaryWriter {
  const { width, height, channels } = pngFacts(png);
  const value = eventAt(step).tag(5, WireType.LengthDelimited).fork().tag(1, WireType.LengthDelimited).fork();
  value.tag(1, WireType.LengthDelimited).string(name).tag(4, WireType.LengthDelimited).fork();
  value.tag(1, WireType.Varint).int32(height).tag(2, WireType.Varint).int32(width);
  value.tag(3, WireType.Varint).int32(channels).tag(4, WireType.LengthDelimited).bytes(png);
  return value.join().join().join();
}

/** Size and number of channels from a PNG's first chunk; a palette holds colours. */
function pngFacts(png: Uint8Array): { width: number; height: number; channels: number } {
  const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
  const channels = new Map([
    [0, 1],
    [2, 3],
    [3, 3],
    [4, 2],
    [6, 4],
  ]).get(png[25]);
  if (png.length < 33 || signature.some((byte, i) => png[i] !== byte) || channels === undefined)
    throw new UntangleError('An image for TensorBoard must be a PNG file.');
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  return { width: view.getUint32(16), height: view.getUint32(20), channels };
}
