/**
 * Shows decoded rows of a table in the original units: a bar for each column, between three deviations below and above the
 * column's mean; for categories the most likely one. The strip of a dimension is a band over each bar: how far it moves it.
 */
import { largest } from './codes.js';

export function tableView(place, { shape, transformation }) {
  const columns =
    transformation?.columns ?? shape.columns.map((name) => ({ kind: 'number', name, mean: 0, deviation: 1 }));
  const table = document.createElement('table');
  const caption = table.createCaption();
  let at = 0;
  const rows = columns.map((column) => {
    const row = table.insertRow();
    const name = Object.assign(document.createElement('th'), { scope: 'row', textContent: column.name });
    row.append(name);
    const bar = row.insertCell();
    bar.setAttribute('aria-hidden', 'true');
    const track = Object.assign(document.createElement('div'), { className: `track ${column.kind}` });
    const [band, fill] = ['band', 'fill'].map((className) =>
      Object.assign(document.createElement('div'), { className }),
    );
    track.append(band, fill);
    bar.append(track);
    const value = Object.assign(row.insertCell(), { className: 'value' });
    const size = column.kind === 'number' ? 1 : column.categories.length;
    const one = { column, band, fill, value, at, size };
    at += size;
    return one;
  });
  const width = at;
  place.classList.add('rows');
  place.tabIndex = 0;
  place.setAttribute('role', 'region');
  place.setAttribute('aria-label', 'The decoded row');
  place.append(table);

  /** The share of the track at which a standardised number stands. */
  const shareOf = (standardised) => Math.min(1, Math.max(0, (standardised + 3) / 6));
  const span = (element, from, to) => {
    element.style.left = `${100 * Math.min(from, to)}%`;
    element.style.width = `${100 * Math.abs(to - from)}%`;
  };

  return {
    places: 9,
    show(items) {
      for (const { column, fill, value, at: start, size } of rows) {
        if (column.kind === 'number') {
          span(fill, 0.5, shareOf(items[start]));
          value.textContent = readable(items[start] * column.deviation + column.mean, column.deviation);
        } else {
          const values = items.subarray(start, start + size);
          const best = largest(values);
          span(fill, 0, Math.min(1, Math.max(0, values[best])));
          value.textContent = column.categories[best];
        }
      }
    },
    showStrip(items, count, _marked, dimension) {
      caption.textContent = `The light band is where ${dimension} takes a column.`;
      for (const { column, band, at: start } of rows) {
        if (column.kind !== 'number') continue;
        const shares = Array.from({ length: count }, (_, i) => shareOf(items[i * width + start]));
        span(band, Math.min(...shares), Math.max(...shares));
      }
    },
  };
}

/** A number with as many decimals as its column's spread asks for. */
function readable(value, deviation) {
  const decimals = Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(deviation))));
  return value.toFixed(decimals);
}
