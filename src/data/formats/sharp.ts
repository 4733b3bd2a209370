/** sharp, an optional dependency: decodes JPEG fast, and the formats that nothing else here reads (WebP, TIFF, GIF, AVIF …). */
import { badPicture, checkPictureSize, maxPixels, type Picture, type PictureHeader, toPlanes } from './picture.ts';

export interface SharpDecoder {
  header(bytes: Uint8Array, name: string): Promise<PictureHeader>;
  /** Decodes to 8 bits, with what is transparent on white; `turn` honours the file's note on orientation. */
  decode(bytes: Uint8Array, name: string, options: { channels: 1 | 3; turn: boolean }): Promise<Picture>;
}

let loading: Promise<SharpDecoder | undefined> | undefined;

/** sharp if it is installed and its native library loads; otherwise undefined. */
export function loadSharp(): Promise<SharpDecoder | undefined> {
  loading ??= import('sharp').then(
    (module) => decoderOf(module.default),
    () => undefined,
  );
  return loading;
}

function decoderOf(sharp: typeof import('sharp')['default']): SharpDecoder {
  const open = (bytes: Uint8Array) => sharp(bytes, { limitInputPixels: maxPixels });
  return {
    async header(bytes, name) {
      const found = await explained(name, () => open(bytes).metadata());
      const size = found.autoOrient ?? found;
      checkPictureSize(name, size.width, size.height);
      const channels = found.space === 'b-w' || found.space === 'grey16' ? 1 : 3;
      const animated = (found.pages ?? 1) > 1 && { oddity: 'animated' as const };
      return { format: found.format, channels, height: size.height, width: size.width, ...animated };
    },
    async decode(bytes, name, { channels, turn }) {
      const { data, info } = await explained(name, () => {
        const image = turn ? open(bytes).autoOrient() : open(bytes);
        return image
          .flatten({ background: '#ffffff' })
          .toColourspace(channels === 1 ? 'b-w' : 'srgb')
          .raw({ depth: 'uchar' })
          .toBuffer({ resolveWithObject: true });
      });
      const { width, height } = info;
      return { channels, height, width, data: toPlanes(data, info.channels, channels, width * height) };
    },
  };
}

async function explained<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw badPicture(name, cause instanceof Error ? cause.message : 'it is damaged', cause);
  }
}
