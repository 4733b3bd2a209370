import { expect, test } from 'vitest';
import { distinctMark, mark } from './marks.ts';

const seen = (shape: ReturnType<typeof mark>) =>
  shape.kind === 'polygon' ? `${shape.fill} ${shape.points.map((value) => value.toFixed(2))}` : JSON.stringify(shape);

test('thirty-five categories have thirty-five marks', () => {
  const marks = Array.from({ length: 35 }, (_, category) => seen(mark(category, 0, 0, 2)));
  expect(new Set(marks).size).toBe(35);
});

test('neighbouring categories differ in form where marks are few and large', () => {
  const forms = Array.from({ length: 5 }, (_, category) => {
    const shape = distinctMark(category, 0, 0, 4);
    return shape.kind === 'polygon' ? String(shape.points) : shape.kind;
  });
  expect(new Set(forms).size).toBe(5);
});
