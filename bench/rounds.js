// @ts-check
/** Rounds in which everything that is compared takes its turn, until the ratios are known well enough or time is up. */
import { figure, uncertainty } from './spread.js';

/** Six rounds are the fewest whose extremes hold the median nineteen times of twenty. */
const fewest = 6;
const wanted = 0.05;

/**
 * Every second round goes backwards, so that nobody always comes after the same neighbour.
 *
 * @param {readonly (() => Promise<void>)[]} turns each measures once and keeps what it measured
 * @param {() => number[][]} judged the ratios that must be known, round by round
 * @param {{ seconds: number }} limit
 * @returns {Promise<{ rounds: number, settled: boolean }>}
 */
export async function alternate(turns, judged, { seconds }) {
  const until = performance.now() + 1000 * seconds;
  const isSettled = () => judged().every((values) => uncertainty(figure(values)) <= wanted);
  let rounds = 0;
  while (rounds < fewest || (performance.now() < until && !isSettled())) {
    for (const turn of rounds % 2 === 0 ? turns : [...turns].reverse()) await turn();
    rounds++;
  }
  return { rounds, settled: isSettled() };
}
