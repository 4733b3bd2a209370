/**
 * The linear assignment problem: give every row its own column at the least total cost. Shortest augmenting paths from
 * a warm start (Jonker and Volgenant, 1987): columns are reduced, then rows bid for columns, and only the rows that are
 * left over need a path.
 */
import { UntangleError } from '../errors.ts';
import { checkCosts, checkCount } from './points.ts';

export interface Assignment {
  /** The column that each row gets. */
  columnOfRow: Int32Array;
  /** The sum of the chosen entries. */
  cost: number;
}

/**
 * The cheapest assignment of n rows to m ≥ n columns; `cost[i * m + j]` is the price of giving column j to row i.
 *
 * @example assign(Float64Array.of(4, 1, 2, 3), 2) // { columnOfRow: [1, 0], cost: 3 }
 */
export function assign(cost: Float64Array, n: number, m: number = n): Assignment {
  check(cost, n, m);
  return assignChecked(cost, n, m);
}

/** The same of costs that are known to be finite, and at least as many columns as rows. */
export function assignChecked(cost: Float64Array, n: number, m: number): Assignment {
  const state: State = {
    cost,
    n,
    m,
    columnOfRow: new Int32Array(n).fill(-1),
    rowOfColumn: new Int32Array(m).fill(-1),
    price: new Float64Array(m),
  };
  // A column that stays without a row must keep price zero, so only a square problem may reduce its columns first.
  if (n === m) reduceColumns(state);
  const free = Int32Array.from({ length: n }, (_, i) => i).filter((i) => state.columnOfRow[i] < 0);
  const unserved = m > 1 ? bid(state, free) : free.length;
  augment(state, free.subarray(0, unserved));
  let total = 0;
  for (let i = 0; i < n; i++) total += cost[i * m + state.columnOfRow[i]];
  return { columnOfRow: state.columnOfRow, cost: total };
}

/**
 * A partial assignment with column prices. Throughout, the column of an assigned row is the one with the least
 * `cost − price` in that row: complementary slackness, which makes a full assignment optimal.
 */
interface State {
  cost: Float64Array;
  n: number;
  m: number;
  columnOfRow: Int32Array;
  rowOfColumn: Int32Array;
  price: Float64Array;
}

/** Prices every column at its cheapest row, and assigns it there if that row has no column yet. */
function reduceColumns({ cost, n, m, columnOfRow, rowOfColumn, price }: State): void {
  const cheapest = new Int32Array(m);
  price.set(cost.subarray(0, m));
  for (let i = 1; i < n; i++) {
    for (let j = 0; j < m; j++) {
      const c = cost[i * m + j];
      if (c < price[j]) {
        price[j] = c;
        cheapest[j] = i;
      }
    }
  }
  for (let j = m - 1; j >= 0; j--) {
    const i = cheapest[j];
    if (columnOfRow[i] >= 0) continue;
    columnOfRow[i] = j;
    rowOfColumn[j] = i;
  }
}

/**
 * Two rounds in which each free row takes its best column and lowers that column's price to where the row would be as
 * happy with its second best; a row that is pushed out bids again. Rows that stay free are moved to the front of
 * `free`; gives their number. Bids are limited because prices may fall by less and less without end.
 */
function bid({ cost, m, columnOfRow, rowOfColumn, price }: State, free: Int32Array): number {
  let left = free.length;
  for (let round = 0; round < 2; round++) {
    const waiting = left;
    let bids = 4 * columnOfRow.length;
    let next = 0;
    left = 0;
    while (next < waiting) {
      const i = free[next++];
      const row = i * m;
      let best = 0;
      let second = 1;
      let bestValue = cost[row] - price[0];
      let secondValue = cost[row + 1] - price[1];
      if (secondValue < bestValue) {
        [best, second] = [second, best];
        [bestValue, secondValue] = [secondValue, bestValue];
      }
      for (let j = 2; j < m; j++) {
        const value = cost[row + j] - price[j];
        if (value >= secondValue) continue;
        if (value < bestValue) {
          second = best;
          secondValue = bestValue;
          best = j;
          bestValue = value;
        } else {
          second = j;
          secondValue = value;
        }
      }
      const strict = bestValue < secondValue;
      if (strict) price[best] -= secondValue - bestValue;
      else if (rowOfColumn[best] >= 0) best = second;
      const displaced = rowOfColumn[best];
      columnOfRow[i] = best;
      rowOfColumn[best] = i;
      if (displaced < 0) continue;
      columnOfRow[displaced] = -1;
      if (strict && bids-- > 0) free[--next] = displaced;
      else free[left++] = displaced;
    }
  }
  return left;
}

/** Gives each row in `free` a column along the shortest path of reassignments (Dijkstra on `cost − price`). */
function augment({ cost, m, columnOfRow, rowOfColumn, price }: State, free: Int32Array): void {
  // A column whose distance is settled is closed: its price reads −∞ and its distance ∞, so that the scan of all columns
  // needs no list of the open ones.
  const openPrice = new Float64Array(m);
  const distance = new Float64Array(m);
  const settled = new Float64Array(m);
  const rowBefore = new Int32Array(m);
  const closed = new Int32Array(m);
  for (const start of free) {
    openPrice.set(price);
    distance.fill(Number.POSITIVE_INFINITY);
    let closedCount = 0;
    let row = start;
    let offset = 0;
    let column = -1;
    let nearest = 0;
    while (true) {
      const first = row * m;
      nearest = Number.POSITIVE_INFINITY;
      for (let j = 0; j < m; j++) {
        const through = cost[first + j] - openPrice[j] - offset;
        let here = distance[j];
        if (through < here) {
          here = distance[j] = through;
          rowBefore[j] = row;
        }
        if (here < nearest || (here === nearest && rowOfColumn[j] < 0)) {
          nearest = here;
          column = j;
        }
      }
      if (rowOfColumn[column] < 0) break;
      closed[closedCount++] = column;
      settled[column] = nearest;
      openPrice[column] = Number.NEGATIVE_INFINITY;
      distance[column] = Number.POSITIVE_INFINITY;
      row = rowOfColumn[column];
      offset = cost[row * m + column] - price[column] - nearest;
    }
    for (let k = 0; k < closedCount; k++) price[closed[k]] += settled[closed[k]] - nearest;
    while (true) {
      const i = rowBefore[column];
      const given = columnOfRow[i];
      rowOfColumn[column] = i;
      columnOfRow[i] = column;
      if (i === start) break;
      column = given;
    }
  }
}

function check(cost: Float64Array, n: number, m: number): void {
  checkCount('the number of rows', n, 1);
  checkCount('the number of columns', m, 1);
  if (n > m)
    throw new UntangleError(`${n} rows cannot each get their own of ${m} columns.`, {
      kind: 'call',
      hint: 'Transpose the costs: there must be at least as many columns as rows.',
    });
  checkCosts(cost, n, m);
}
