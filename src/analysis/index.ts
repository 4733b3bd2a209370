/** The numerics that metrics and pictures stand on: transport, clusters, embeddings, linear models, trees, statistics. */

export { type Added, addedCovariance, type ScoredSet } from './added-covariance.ts';
export { type Assignment, assign } from './assignment.ts';
export {
  type BoostedTrees,
  type BoostedTreesData,
  boostedDecision,
  fitBoostedTrees,
  predictBoostedTrees,
} from './boosted-trees.ts';
export { type BootstrapOptions, bootstrapMean, type Interval } from './bootstrap.ts';
export { factorise, substitute } from './cholesky.ts';
export { type ClusteringAccuracy, clusteringAccuracy } from './clustering-accuracy.ts';
export {
  type ContrastiveLatent,
  type ContrastiveLatentData,
  contrastiveLatent,
  type LatentItems,
  latentItems,
} from './contrastive-latent.ts';
export {
  type ContrastData,
  type ContrastivePca,
  type ContrastiveSweep,
  contrastivePca,
  contrastiveSweep,
  targetVaries,
} from './contrastive-pca.ts';
export { type Cluster, type DistinctClusters, distinctClusters, nearestClusters } from './distinct-clusters.ts';
export { leadingEigenvectors } from './eigenvectors.ts';
export { falseDiscovery } from './false-discovery.ts';
export { type ForestOptions, fitForest, type RandomForest } from './forest.ts';
export { gaussianKl } from './gaussian-kl.ts';
export { discretise, discretiseColumns, entropy, mutualInformation } from './information.ts';
export { type ContrastKernel, kernelFeatures } from './kernel-features.ts';
export { type Clusters, type KMeansOptions, kmeans } from './kmeans.ts';
export { decision, type LinearClassifier, predict } from './linear-classifier.ts';
export {
  fitLasso,
  fitLeastSquares,
  fitRidge,
  type LinearRegression,
  predictRegression,
  type RegressionData,
  varianceExplained,
} from './linear-regression.ts';
export { fitLinearSvm, type LinearSvmData } from './linear-svm.ts';
export { fitLogistic, type LogisticData, type LogisticModel, logisticProbabilities } from './logistic.ts';
export { type Neighbours, nearestNeighbours } from './neighbours.ts';
export { normalDensity, normalQuantile, normalShare } from './normal.ts';
export { type PairedTest, pairedTest } from './paired-test.ts';
export { type Pca, type PcaOptions, pca, project } from './pca.ts';
export type { Numbers, Points } from './points.ts';
export { type Design, relabellings } from './relabellings.ts';
export { type Richness, richness } from './richness.ts';
export { type Clustering, type SilhouetteOptions, silhouette, silhouettes } from './silhouette.ts';
export { type EntropicTransport, type SinkhornProblem, sinkhorn } from './sinkhorn.ts';
export {
  columnMeans,
  columnVariances,
  correlation,
  correlationMatrix,
  covarianceMatrix,
  mean,
  percentile,
  percentileInPlace,
  ranks,
  rocAuc,
  type Standardisation,
  spearmanMatrix,
  standardise,
  variance,
} from './statistics.ts';
export { type Transport, type TransportProblem, transport } from './transport.ts';
export { type TrustworthinessOptions, trustworthiness } from './trustworthiness.ts';
export { type TsneOptions, type TsneResult, type TsneStep, tsne, tsneSteps } from './tsne.ts';
export { type TwoSampleOptions, type TwoSampleTest, twoSampleTest } from './two-sample.ts';
export { type UmapOptions, umap } from './umap.ts';
export { varimax } from './varimax.ts';
export { type Matching, matchPoints, squaredDistances, w2Squared } from './wasserstein.ts';
