/** Rasters and drawings as PNG files, with as few channels as their colours need. */
import { encode } from 'fast-png';
import type { Drawing } from './drawing.ts';
import type { Raster } from './image.ts';
import { rasterise } from './rasterise.ts';

/** The drawing as a PNG file, with `scale` pixels to a CSS pixel. */
export function toPng(drawing: Drawing, scale = 2): Uint8Array {
  return encodePng(rasterise(drawing, scale));
}

/** The bytes of a PNG file. Opaque rasters are written without the opacity channel, grey ones with a single channel. */
export function encodePng(raster: Raster, channels: number = channelsNeeded(raster)): Uint8Array {
  return encode({ ...packed(raster, channels), depth: 8, channels }, { zlib: { level: 6 } });
}

/** 1 for grey, 3 for colours, 4 where something is transparent. */
export function channelsNeeded({ data }: Raster): 1 | 3 | 4 {
  let grey = true;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] !== 255) return 4;
    grey &&= data[i] === data[i + 1] && data[i] === data[i + 2];
  }
  return grey ? 1 : 3;
}

function packed(raster: Raster, channels: number): Raster {
  if (channels === 4) return raster;
  const pixels = raster.width * raster.height;
  const data = new Uint8Array(pixels * channels);
  for (let i = 0; i < pixels; i++) for (let c = 0; c < channels; c++) data[i * channels + c] = raster.data[i * 4 + c];
  return { width: raster.width, height: raster.height, data };
}
