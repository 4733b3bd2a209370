/** The page: loads the model, lets a person move its code, and shows what the decoder makes of it. */
import { copyOf, priorOf, randomCodes, rangeOf, repeated, startingCodes, withChosenClasses } from './codes.js';
import { buildControls, signed } from './controls.js';
import { imageView } from './image-view.js';
import { loadModel } from './model.js';
import { tableView } from './table-view.js';

const part = (id) => document.getElementById(id);

try {
  await open();
} catch (error) {
  tell(`This model could not be loaded: ${error instanceof Error ? error.message : error}`);
}

async function open() {
  const model = await loadModel(new URL('..', import.meta.url));
  const { facts } = model;
  const isImage = facts.data.shape.kind === 'image';
  document.title = `${facts.title} on ${facts.data.name}`;
  part('title').textContent = document.title;
  part('about').textContent =
    `Each slider is one number of the model’s code, from the 1 % to the 99 % quantile of its prior. Trained for ${facts.step} steps.`;
  part('encoder-link').hidden = !facts.encodes;

  const [strip, given] = [part('strip').querySelector('canvas'), part('given').querySelector('canvas')];
  const view = isImage
    ? imageView({ picture: part('view'), strip, given }, facts.data)
    : tableView(part('view'), facts.data);
  const codes = startingCodes(facts.blocks);
  let start = copyOf(codes);
  let looked = mostTelling(model);

  const draw = drawing(model, view, codes, () => looked);
  const update = buildControls(part('controls'), model, codes, {
    onMove: () => draw(),
    onLook(dimension) {
      looked = dimension;
      draw({ stripAlone: true });
    },
  });
  const moveTo = (next) => {
    Object.assign(codes, copyOf(next));
    update();
    draw();
  };

  part('reset').addEventListener('click', () => moveTo(start));
  part('random').addEventListener('click', () => moveTo(randomCodes(facts.blocks)));
  if (isImage && facts.encodes)
    takeImages(model, view, (found) => {
      start = found === undefined ? startingCodes(facts.blocks) : withChosenClasses(found, facts.blocks);
      moveTo(start);
    });

  update();
  await draw();
  part('strip').hidden = !isImage || looked === undefined;
  part('status').hidden = true;
  part('main').hidden = false;
}

/** The dimension with the highest KL, whose strip is shown until a person looks at another. */
function mostTelling(model) {
  const all = model.facts.blocks
    .filter((block) => block.kind === 'gaussian' && model.takes(block) && !(block.class > 0))
    .flatMap((block) => Array.from({ length: block.size }, (_, index) => ({ block, index })));
  const kl = ({ block, index }) => (block.kl ? Number(block.kl[index]) || 0 : 0);
  return all.sort((a, b) => kl(b) - kl(a))[0];
}

/** Draws what is asked for last: while the model works, requests in between fall away. The picture goes before the strip. */
function drawing(model, view, codes, looked) {
  let pictureWanted = false;
  let stripWanted = false;
  let working;

  async function work() {
    while (pictureWanted || stripWanted) {
      if (pictureWanted) {
        pictureWanted = false;
        view.show(await model.decode(copyOf(codes), 1));
      } else {
        stripWanted = false;
        await showStrip();
      }
    }
  }

  async function showStrip() {
    const dimension = looked();
    if (dimension === undefined) return;
    const { block, index } = dimension;
    const value = codes[block.name][index];
    const { low, high } = rangeOf(priorOf(block, model.facts.blocks, codes), index, value);
    const count = view.places;
    const rows = repeated(codes, count);
    for (let i = 0; i < count; i++) rows[block.name][i * block.size + index] = low + ((high - low) * i) / (count - 1);
    const caption = `${block.name} ${index} from ${signed(low)} to ${signed(high)}`;
    const marked = Math.round(((value - low) / (high - low)) * (count - 1));
    view.showStrip(await model.decode(rows, count), count, marked, caption);
    part('strip').querySelector('figcaption').textContent = caption;
  }

  return ({ stripAlone = false } = {}) => {
    pictureWanted ||= !stripAlone;
    stripWanted = true;
    working ??= work()
      .catch((error) => tell(`The decoder failed: ${error instanceof Error ? error.message : error}`))
      .finally(() => {
        working = undefined;
      });
    return working;
  };
}

/** Images that are dropped or chosen become the code to start from; leaving the image starts from the prior again. */
function takeImages(model, view, onStart) {
  const file = part('file');
  part('start').hidden = false;
  part('hint').hidden = false;
  part('choose').addEventListener('click', () => file.click());
  part('forget').addEventListener('click', () => {
    part('given').hidden = true;
    part('choose').focus();
    onStart(undefined);
  });
  file.addEventListener('change', () => {
    if (file.files[0]) take(file.files[0]);
    file.value = '';
  });
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    document.body.classList.add('dropping');
  });
  for (const name of ['dragleave', 'drop', 'dragend'])
    document.addEventListener(name, () => document.body.classList.remove('dropping'));
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    const [dropped] = event.dataTransfer.files;
    if (dropped) take(dropped);
  });

  async function take(given) {
    let item;
    try {
      item = await view.read(given);
    } catch {
      tell(`“${given.name}” is no picture that this browser can read.`);
      return;
    }
    try {
      const codes = await model.encode(item);
      view.showGiven(item);
      part('given').hidden = false;
      part('status').hidden = true;
      onStart(codes);
    } catch (error) {
      tell(`“${given.name}” could not be encoded: ${error instanceof Error ? error.message : error}`);
    }
  }
}

function tell(sentence) {
  part('status').textContent = sentence;
  part('status').hidden = false;
}
