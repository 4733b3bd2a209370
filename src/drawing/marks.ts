/** Marks for points: category by category in another colour, and in another form too, so that no one needs colours to read them. */
import type { DrawnShape } from './drawing.ts';
import { categories, categoryColour } from './palette.ts';

/** The mark of a category. After seven categories the colours come again with other forms. */
export function mark(category: number, x: number, y: number, radius: number, opacity?: number): DrawnShape {
  const fill = categoryColour(category);
  const form = forms[Math.floor(category / categories.length) % forms.length];
  return formed(form, x, y, radius, fill, opacity);
}

/** A mark whose form changes with every category, for a few large points. */
export function distinctMark(category: number, x: number, y: number, radius: number): DrawnShape {
  return formed(forms[category % forms.length], x, y, radius, categoryColour(category));
}

type Form = 'disc' | number[];

/** Corners on a circle of radius 1, spread so that all forms look equally large. */
const forms: Form[] = [
  'disc',
  [-0.9, -0.9, 0.9, -0.9, 0.9, 0.9, -0.9, 0.9],
  [0, -1.25, 1.15, 0.8, -1.15, 0.8],
  [0, -1.3, 1.3, 0, 0, 1.3, -1.3, 0],
  [0, 1.25, 1.15, -0.8, -1.15, -0.8],
];

function formed(form: Form, x: number, y: number, radius: number, fill: string, opacity?: number): DrawnShape {
  if (form === 'disc') return { kind: 'disc', x, y, radius, fill, opacity };
  const points = form.map((value, i) => (i % 2 === 0 ? x : y) + value * radius);
  return { kind: 'polygon', points, fill, opacity };
}
