/**
 * Guided-VAE, its unsupervised form (Ding et al. 2020, section 3.2): beside the ELBO, the code must also draw the item by a
 * deformable PCA, ‖x − τ(z_def) ∘ (B z_cont)‖² + Σ_{j≠k} (b_jᵀ b_k)², so that some dimensions stand for the deformation τ and the
 * others for principal components B. The paper's τ is an affine map; here it is a shift across, a shift down and a scale, one
 * dimension each, and B has a mean image: both are ours.
 */
import { UntangleError } from '../../errors.ts';
import { constantly, torchDefault } from '../../nn/index.ts';
import { distanceToIdentity } from '../../objectives/index.ts';
import { number } from '../../options/index.ts';
import { constant, matmul, product, relu, type Tensor } from '../../tensor/index.ts';
import { type VaeParts, vaeMethod } from './family.ts';

export const guideOptions = {
  guide: number('weight of the deformable PCA', { default: 1, min: 0 }),
};

export const guidedVae = vaeMethod({
  name: 'guided-vae',
  title: 'Guided-VAE',
  summary: 'Guides the code with a second, transparent decoder: principal components, shifted and scaled.',
  paper: { cite: 'Ding et al. 2020', equations: 'section 3.2 (unsupervised)' },
  options: guideOptions,
  objective(parts, { guide }) {
    const { guided, orthogonality } = deformablePca(parts);
    return {
      minimises: parts.reconstruction.plus(parts.kl).plus(guided.plus(orthogonality).times(guide)),
      terms: { 'guided reconstruction': guided, orthogonality },
    };
  },
});

/** Both sums of the deformable PCA, the first over pixels and mean over the batch. A table is not deformed. */
export function deformablePca({ b, context: { item }, x, z }: VaeParts): { guided: Tensor; orthogonality: Tensor } {
  const [rows, ...shape] = x.shape.map(Number);
  const latents = Number(z.shape[1]);
  const deforming = item.kind === 'image' ? deformations : 0;
  if (latents <= deforming) {
    throw new UntangleError(
      `The guide of images takes ${deforming} dimensions for the deformation, so ${latents} latents leave none for what is seen.`,
      { kind: 'call', hint: `Set latents to at least ${deforming + 1}.` },
    );
  }
  const size = shape.reduce((total, side) => total * side, 1);
  const drawing = b.at('guide');
  const basis = drawing.parameter('basis', [size, latents - deforming], torchDefault());
  const mean = drawing.parameter('mean', [size], constantly(0));
  const content = product(z.slice(1, deforming, latents), basis, { transposeB: true, bias: mean });
  const drawn = item.kind === 'image' ? deformed(content.reshape([rows, ...shape]), z) : content;
  return {
    guided: x
      .minus(drawn)
      .square()
      .sum(shape.map((_, i) => i + 1))
      .mean(),
    orthogonality: distanceToIdentity(product(basis, basis, { transposeA: true })).offDiagonal,
  };
}

/** How many dimensions are deformations: the first ones. */
const deformations = 3;

/**
 * Images moved by ½ z₁ of half their width to the right, by ½ z₂ of half their height down, and scaled by e^(0.3 z₃), with bilinear
 * interpolation and nothing beyond their edges. Without a rotation it is one product along each side.
 */
export function deformed(images: Tensor, z: Tensor): Tensor {
  const [rows, , height, width] = images.shape.map(Number);
  const parameter = (k: number) => z.slice(1, k, k + 1).reshape([rows, 1, 1, 1]);
  const zoom = parameter(2).times(-0.3).exp();
  const down = sampling(height, zoom, parameter(1).times(0.5));
  const across = sampling(width, zoom, parameter(0).times(0.5));
  return matmul(matmul(down, images), across.transpose([0, 1, 3, 2]));
}

/** The weights [n, 1, to, from] with which a row of `size` pixels is read at (u − shift) · zoom, for u from −1 to 1. */
function sampling(size: number, zoom: Tensor, shift: Tensor): Tensor {
  const places = Array.from({ length: size }, (_, i) => i);
  const seen = constant(
    places.map((i) => (2 * i + 1) / size - 1),
    [1, 1, size, 1],
  );
  const at = seen
    .minus(shift)
    .times(zoom)
    .plus(1)
    .times(size / 2)
    .minus(0.5);
  return relu(
    at
      .minus(constant(places, [1, 1, 1, size]))
      .abs()
      .negate()
      .plus(1),
  );
}
