/**
 * The geometry of dSprites (Matthey, Higgins, Hassabis and Lerchner, 2017; Apache-2.0, © DeepMind), measured from its own
 * frames. A pixel is on where its centre, in the shape's coordinates, lies inside the shape.
 */

/** How many values each factor takes, in the order of the file. */
export const factorSizes = { shape: 3, scale: 6, orientation: 40, x: 32, y: 32 } as const;

export const shapeNames = ['square', 'ellipse', 'heart'];

/** Scales are equally spaced from 0.5 to 1. */
export function scaleAt(index: number): number {
  return 0.5 + (0.5 * index) / (factorSizes.scale - 1);
}

/** Orientations are equally spaced over a full turn with both ends, so that the last is the first again. */
export function orientationAt(index: number): number {
  return (2 * Math.PI * (index % (factorSizes.orientation - 1))) / (factorSizes.orientation - 1);
}

/** Half the side of the square at scale 1. */
export const squareHalfSide = 9.6;

/** The ellipse's semi-axes at scale 1. */
export const ellipseAxes = { x: 12.77, y: 7.21 } as const;

/**
 * The heart's radius at scale 1, at equal steps of the angle from its notch (0) to its tip (π), linear in between; the other
 * half is its mirror image.
 */
export const heartRadii = Float64Array.of(
  5.14783,
  5.52269,
  6.45489,
  6.45489,
  7.10635,
  7.10635,
  7.67818,
  8.02848,
  8.02848,
  8.33855,
  9.04588,
  9.04588,
  9.35055,
  9.79205,
  9.79205,
  10.12473,
  10.12424,
  10.33732,
  10.33732,
  10.75661,
  10.7547,
  10.7547,
  10.96535,
  10.97726,
  11.03654,
  11.36798,
  11.16673,
  11.18768,
  11.2414,
  11.1914,
  11.11169,
  11.1914,
  11.23937,
  11.23937,
  11.16673,
  11.06798,
  11.11489,
  11.11489,
  10.97726,
  11.09362,
  10.86019,
  10.77326,
  10.77326,
  10.60399,
  10.57025,
  10.39094,
  10.26449,
  10.11957,
  10.01962,
  9.62345,
  9.69756,
  9.51316,
  9.51316,
  9.20824,
  9.10824,
  8.91003,
  8.76003,
  8.59618,
  8.4503,
  8.27648,
  7.9057,
  8.1057,
  7.74198,
  7.74198,
  7.54154,
  7.54154,
  7.18242,
  7.40635,
  7.04856,
  7.04856,
  6.77747,
  6.77747,
  6.67084,
  6.51921,
  6.51921,
  6.42564,
  6.42564,
  6.36397,
  6.22678,
  6.22678,
  6.04153,
  6.04153,
  6.34153,
  6.01114,
  6.01114,
  5.93273,
  5.90443,
  5.92536,
  5.92536,
  5.70089,
  5.89257,
  5.89257,
  5.70089,
  5.90443,
  5.90443,
  5.93273,
  5.93273,
  5.70089,
  5.70089,
  6.04153,
  6.04153,
  6.04153,
  6.16734,
  6.16734,
  6.33661,
  6.33661,
  6.46397,
  6.51921,
  6.51921,
  6.75948,
  6.75948,
  7.18009,
  7.11161,
  7.10635,
  7.57746,
  7.57746,
  7.9057,
  8.1681,
  8.51116,
  8.86003,
  9.70013,
);
