/** The sliders and choices: a group for each block, its dimensions in the order of their KL. */
import { classOf, largest, oneHot, priorOf, rangeOf } from './codes.js';

/** A dimension whose KL is below so many nats carries next to nothing, and is folded away. */
const quiet = 0.01;

const roles = {
  shared: 'shared by all items',
  salient: 'what the target adds',
  class: 'the class',
  'class-related': 'belongs to a class',
};

/**
 * Builds the controls in `form`. `onMove` is called after the code was changed, `onLook` with the dimension that a person
 * looks at. Gives back `update`, which brings the controls to the codes.
 */
export function buildControls(form, model, codes, { onMove, onLook }) {
  const { blocks, data } = model.facts;
  const decidesPrior = (block) => blocks.some((other) => classOf(other, blocks) === block);
  const groups = blocks
    .filter((block) => model.takes(block) || (block.kind === 'categorical' && decidesPrior(block)))
    .map((block) => (block.kind === 'categorical' ? classGroup(block) : gaussianGroup(block)));
  form.append(...groups.map(({ element }) => element));

  function update() {
    for (const group of groups) group.update();
  }

  function classGroup(block) {
    const variables = data.variables ?? [{ name: 'Class', classes: data.classes ?? [] }];
    const variable = variables[blocks.filter(({ kind }) => kind === 'categorical').indexOf(block)];
    const known = variable?.classes.length === block.size ? variable : undefined;
    const element = groupElement(block);
    const select = Object.assign(document.createElement('select'), { id: idOf(block.name) });
    for (let i = 0; i < block.size; i++) select.append(new Option(known?.classes[i] ?? `${i}`, `${i}`));
    const label = Object.assign(document.createElement('label'), {
      htmlFor: select.id,
      textContent: known?.name ?? 'Class',
    });
    const row = Object.assign(document.createElement('div'), { className: 'choice' });
    row.append(label, select);
    element.append(row);
    select.addEventListener('change', () => {
      const chosen = Number(select.value);
      // Where classes have priors of their own, a code moves with its class: it keeps its place in the prior.
      const related = blocks.filter((other) => classOf(other, blocks) === block);
      const before = related.map((other) => priorOf(other, blocks, codes));
      codes[block.name] = oneHot(block.size, chosen);
      for (const [k, other] of related.entries()) {
        const after = priorOf(other, blocks, codes);
        codes[other.name] = codes[other.name].map(
          (value, i) => after.mean[i] + ((value - before[k].mean[i]) / before[k].deviation[i]) * after.deviation[i],
        );
      }
      update();
      onMove();
    });
    return { element, update: () => (select.value = `${largest(codes[block.name])}`) };
  }

  function gaussianGroup(block) {
    const element = groupElement(block);
    const kl = Array.from({ length: block.size }, (_, i) => (block.kl ? Number(block.kl[i]) || 0 : undefined));
    const most = Math.max(...kl.map((value) => value ?? 0), 1e-9);
    const order = [...kl.keys()].sort((a, b) => (kl[b] ?? 0) - (kl[a] ?? 0));
    const dimensions = order.map((index) => dimension(block, index, kl[index], most));
    const isQuiet = ({ kl: value }) => value !== undefined && value < quiet;
    const loud = dimensions.filter((one) => !isQuiet(one));
    const silent = dimensions.filter(isQuiet);
    element.append(...loud.map((one) => one.element));
    if (silent.length > 0) {
      const rest = document.createElement('details');
      const count = silent.length === 1 ? '1 dimension carries' : `${silent.length} dimensions carry`;
      const summary = Object.assign(document.createElement('summary'), { textContent: `${count} next to nothing` });
      rest.append(summary, ...silent.map((one) => one.element));
      element.append(rest);
    }
    const owner = block.class === undefined ? undefined : blocks.find(({ kind }) => kind === 'categorical');
    return {
      element,
      update() {
        // Another class's own factors do nothing to this class's picture.
        element.hidden = owner !== undefined && largest(codes[owner.name]) !== block.class;
        const prior = priorOf(block, blocks, codes);
        for (const one of dimensions) one.update(prior);
      },
    };
  }

  function dimension(block, index, kl, most) {
    const id = `${idOf(block.name)}-${index}`;
    const element = Object.assign(document.createElement('div'), { className: 'dimension' });
    const label = Object.assign(document.createElement('label'), {
      htmlFor: id,
      textContent: `${block.name} ${index}`,
    });
    const slider = Object.assign(document.createElement('input'), { type: 'range', id, step: '0.01' });
    const output = document.createElement('output');
    output.htmlFor.add(id);
    element.append(label, slider, output);
    if (kl !== undefined) {
      const meter = Object.assign(document.createElement('span'), {
        className: 'kl',
        title: 'KL in nats: how much it carries',
      });
      const bar = document.createElement('span');
      bar.style.width = `${(100 * kl) / most}%`;
      meter.append(
        bar,
        Object.assign(document.createElement('small'), { textContent: `KL ${kl.toFixed(2)}`, id: `${id}-kl` }),
      );
      slider.setAttribute('aria-describedby', `${id}-kl`);
      element.append(meter);
    }
    slider.addEventListener('input', () => {
      codes[block.name][index] = Number(slider.value);
      show();
      onMove();
    });
    for (const event of ['pointerenter', 'focusin']) element.addEventListener(event, () => onLook({ block, index }));
    const show = () => {
      output.textContent = signed(codes[block.name][index]);
      slider.setAttribute('aria-valuetext', output.textContent);
    };
    return {
      element,
      kl,
      update(prior) {
        const value = codes[block.name][index];
        const { low, high } = rangeOf(prior, index, value);
        slider.min = low.toFixed(2);
        slider.max = high.toFixed(2);
        slider.value = `${value}`;
        slider.style.setProperty('--middle', `${(prior.mean[index] - low) / (high - low)}`);
        show();
      },
    };
  }

  return update;
}

function groupElement(block) {
  const element = document.createElement('fieldset');
  const legend = Object.assign(document.createElement('legend'), { textContent: block.name });
  legend.append(Object.assign(document.createElement('span'), { textContent: roles[block.role] ?? block.role }));
  element.append(legend);
  return element;
}

/** @example signed(-0.5) // '−0.50' */
export function signed(value) {
  return value
    .toFixed(2)
    .replace('-', '−')
    .replace(/^−(0\.00)$/, '$1');
}

const idOf = (name) => `code-${name.replace(/\W+/g, '-')}`;
