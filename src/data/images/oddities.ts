/** What is odd about pictures that are taken all the same: animations, tiny ones, colours for a printer. */
import type { ImageShape } from '../../model/index.ts';
import type { PictureHeader } from '../formats/picture.ts';
import { loadSharp } from '../formats/sharp.ts';

/** A picture of fewer pixels on a side is a blur once it is enlarged. */
const leastSide = 8;

/** Sentences on the pictures of a set, by their headers; those without one are not in it. */
export async function oddities(
  pictures: readonly { name: string; header?: PictureHeader }[],
  shape: ImageShape,
): Promise<string[]> {
  const told = (what: (header: PictureHeader) => boolean, sentence: string) => {
    const found = pictures.filter(({ header }) => header !== undefined && what(header));
    return found.length === 0 ? [] : [`${sentence}: ${found.length}, the first being ${found[0].name}.`];
  };
  const isSmall = ({ height, width }: PictureHeader) =>
    Math.min(height, width) < leastSide && Math.min(shape.height, shape.width) >= leastSide;
  return [
    ...told(({ oddity }) => oddity === 'animated', 'Animations, of which the first picture is taken'),
    ...told(isSmall, `Pictures of fewer than ${leastSide} pixels on a side, which say hardly anything`),
    ...((await loadSharp()) === undefined
      ? told(
          ({ oddity }) => oddity === 'cmyk',
          'Pictures in a printer’s colours, which are met roughly without “sharp”',
        )
      : []),
  ];
}
