/**
 * Kubernetes as a place for workers: an indexed Job whose pods all do the same, which is to help with the sweep until nothing is left to
 * do. A pod that is moved or whose node dies is made anew, and what it was at goes on from its last checkpoint.
 */
import type { IJob } from 'kubernetes-models/batch/v1/Job';
import { UntangleError } from '../../errors.ts';
import { isS3 } from '../store/s3.ts';
import { isQueue } from './queue.ts';

export interface JobRequest {
  /** The sweep as the pods see it: a folder in the volume of the claim, an object store, or a queue. */
  place: string;
  /** An image in which `untangle` is installed. */
  image: string;
  workers: number;
  /** The persistent volume claim in which the sweep's folder lies; it is mounted at /sweeps. */
  claim?: string;
  /** The secret that holds the object store's keys, under the names of the environment. */
  secret?: string;
  /** Cores of a pod, each with a trial. */
  cores?: number;
  memory?: string;
}

/** Seconds: as with Slurm, longer than a silent lease lives. */
const patience = 120;

/** @example stringify(jobManifest({ place: '/sweeps/beta', claim: 'sweeps', image: 'registry/untangle:0.1.0', workers: 40 })) */
export function jobManifest({ place, image, workers, claim, secret, cores = 1, memory = '2Gi' }: JobRequest): object {
  const isRemote = isS3(place) || isQueue(place);
  if (!isRemote && (claim === undefined || !place.startsWith('/sweeps/')))
    throw new UntangleError(`Pods do not see “${place}”.`, {
      kind: 'call',
      hint: 'Name a folder under /sweeps with the claim of its volume (--claim), or a sweep at s3://BUCKET/PATH.',
    });
  const name = `untangle-${place.split(/[/#]/).filter(Boolean).at(-1)}`
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .slice(0, 50)
    .replace(/-+$/, '');
  const labels = { app: 'untangle', sweep: name };
  const resources = { cpu: `${cores}`, memory };
  const worker = {
    name: 'worker',
    image,
    command: ['untangle', 'worker', place, ...(isQueue(place) ? [] : ['--idle', `${patience}`]), '--jobs', `${cores}`],
    resources: { requests: resources, limits: resources },
    ...(secret !== undefined && { envFrom: [{ secretRef: { name: secret } }] }),
    ...(claim !== undefined && { volumeMounts: [{ name: 'sweeps', mountPath: '/sweeps' }] }),
  };
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels },
    spec: {
      completionMode: 'Indexed',
      completions: workers,
      parallelism: workers,
      // What Kubernetes itself moves or takes away does not count as a failure.
      podFailurePolicy: {
        rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
      },
      backoffLimit: 6 * workers,
      ttlSecondsAfterFinished: 7 * 24 * 3600,
      template: {
        metadata: { labels },
        spec: {
          restartPolicy: 'Never',
          // A training leaves a checkpoint within seconds; a measurement may take a minute.
          terminationGracePeriodSeconds: 120,
          containers: [worker],
          ...(claim !== undefined && {
            volumes: [{ name: 'sweeps', persistentVolumeClaim: { claimName: claim } }],
          }),
        },
      },
    },
  } satisfies IJob;
  return job;
}
