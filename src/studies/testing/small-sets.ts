/** The papers' sets that are not free, as small files of the same layout, so that their studies can be run from end to end. */
import { encode } from 'fast-png';
import { idxBytes } from '../../data/testing/idx-bytes.ts';
import { filled } from '../../data/testing/pictures.ts';
import { type Stream, stream } from '../../random/index.ts';

/** A data folder with CelebA, AffectNet, Extended Yale B, 3D Chairs and Fashion-MNIST of some tens of pictures each. */
export function smallSets(): string {
  const source = stream(1, 'small sets');
  return filled({ ...celeba(source), ...affectnet(source), ...yaleB(source), ...chairs(source), ...fashion(source) });
}

const attributes = [
  ...['Arched_Eyebrows', 'Attractive', 'Bangs', 'Black_Hair', 'Blond_Hair', 'Eyeglasses', 'Heavy_Makeup', 'Male'],
  ...['Mouth_Slightly_Open', 'No_Beard', 'Smiling', 'Wavy_Hair', 'Wearing_Hat', 'Wearing_Lipstick'],
];

type Files = Record<string, string | Uint8Array>;

/** A patch of one colour on noise, which is the more red the further the item. */
function picture(source: Stream, width: number, height: number, red: number): Uint8Array {
  const data = Uint8Array.from({ length: width * height * 3 }, (_, at) =>
    at % 3 === 0 && (at / 3) % width > width / 2 ? red : source.integer(256),
  );
  return encode({ width, height, channels: 3, data });
}

function celeba(source: Stream): Files {
  const files: Files = {};
  const faces = 60;
  const lines: string[] = [];
  for (let i = 0; i < faces; i++) {
    const name = `${String(i + 1).padStart(6, '0')}.jpg`;
    files[`celeba/img_align_celeba/${name}`] = picture(source, 178, 218, i * 4);
    lines.push(`${name} ${attributes.map(() => (source.integer(2) === 0 ? '-1' : '1')).join(' ')}`);
  }
  files['celeba/list_attr_celeba.txt'] = `${faces}\n${attributes.join(' ')}\n${lines.join('\n')}\n`;
  files['celeba/list_eval_partition.txt'] = lines
    .map((line, i) => `${line.split(' ')[0]} ${i < 36 ? 0 : i < 44 ? 1 : 2}`)
    .join('\n');
  return files;
}

function affectnet(source: Stream): Files {
  const files: Files = {};
  const rows = ['subDirectory_filePath,face_x,face_y,face_width,face_height,expression,valence,arousal'];
  for (let i = 0; i < 200; i++) {
    const expression = i < 60 ? 0 : 1 + (i % 7);
    files[`affectnet/Manually_Annotated_Images/1/${i}.png`] = picture(source, 24, 24, expression * 30);
    rows.push(`1/${i}.png,1,1,22,22,${expression},${i / 200},-0.5`);
  }
  files['affectnet/training.csv'] = rows.join('\n');
  return files;
}

function yaleB(source: Stream): Files {
  const files: Files = {};
  for (let person = 1; person <= 5; person++)
    for (let light = 0; light < 16; light++) {
      const name = `yaleB0${person}`;
      const angles = `A${light < 8 ? '+' : '-'}0${light % 8}0E+${light % 8}0`;
      const pixels = Buffer.from(Array.from({ length: 42 * 48 }, () => 40 * person + source.integer(20)));
      files[`yale-b/CroppedYale/${name}/${name}_P00${angles}.pgm`] = Buffer.concat([
        Buffer.from('P5\n42 48\n255\n'),
        pixels,
      ]);
    }
  return files;
}

function chairs(source: Stream): Files {
  const files: Files = {};
  for (let model = 0; model < 6; model++)
    for (let view = 0; view < 6; view++) {
      const data = Uint8Array.from({ length: 16 * 16 * 3 }, (_, at) => {
        const [x, y] = [Math.floor(at / 3) % 16, Math.floor(at / 48)];
        return x >= 2 + view && x < 6 + view && y >= model + 2 ? source.integer(60) : 255;
      });
      const place = `${String(view).padStart(3, '0')}_p020_t${String(view * 11).padStart(3, '0')}_r096`;
      files[`chairs/rendered_chairs/model${model}/renders/image_${place}.png`] = encode({
        width: 16,
        height: 16,
        channels: 3,
        data,
      });
    }
  return files;
}

function fashion(source: Stream): Files {
  const part = (count: number) => ({
    images: idxBytes(
      8,
      [count, 28, 28],
      Uint8Array.from({ length: count * 784 }, () => source.integer(256)),
    ),
    labels: idxBytes(
      8,
      [count],
      Uint8Array.from({ length: count }, (_, i) => i % 10),
    ),
  });
  const [train, test] = [part(300), part(100)];
  return {
    'fashion-mnist/train-images-idx3-ubyte': train.images,
    'fashion-mnist/train-labels-idx1-ubyte': train.labels,
    'fashion-mnist/t10k-images-idx3-ubyte': test.images,
    'fashion-mnist/t10k-labels-idx1-ubyte': test.labels,
  };
}
