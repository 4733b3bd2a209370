/** Items as pictures, side by side. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { drawItems, gapOf, type ImageFacts } from './image.ts';

/** Items in a row, or in rows of `columns`; without a label, where what is around them says what they are. */
export function Strip({
  items,
  facts,
  columns,
  label,
  class: className = '',
}: {
  items: Float32Array;
  facts: ImageFacts;
  columns: number;
  label: string;
  class?: string;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  // Before the browser paints, so that a picture is never a frame late.
  useLayoutEffect(() => {
    if (canvas.current) drawItems(canvas.current, items, facts, columns, gapOf(facts));
  }, [items, facts, columns]);
  const named = label === '' ? { 'aria-hidden': true } : { role: 'img' as const, 'aria-label': label };
  return <canvas ref={canvas} class={`pixels ${className}`} {...named} />;
}
