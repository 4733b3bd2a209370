import { Job } from 'kubernetes-models/batch/v1/Job';
import { expect, test } from 'vitest';
import { type JobRequest, jobManifest } from './kubernetes.ts';

const requests: JobRequest[] = [
  { place: '/sweeps/Beta_1', claim: 'sweeps', image: 'registry/untangle:0.1.0', workers: 40 },
  {
    place: 's3://bucket/sweeps/beta',
    secret: 'keys',
    image: 'registry/untangle:0.1.0',
    workers: 2,
    cores: 4,
    memory: '8Gi',
  },
  { place: 'redis://queue:6379', claim: 'sweeps', image: 'registry/untangle:0.1.0', workers: 1 },
];

// That it has no field that Kubernetes does not know is checked by its type.
test.each(requests)('the Job for $place is one by the schema of Kubernetes', (request) => {
  const manifest = jobManifest(request);
  const job = new Job(manifest as ConstructorParameters<typeof Job>[0]);
  job.validate();
  expect(job.spec?.completionMode).toBe('Indexed');
  expect(job.spec?.completions).toBe(request.workers);
  expect(job.metadata?.name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
});

test('a wrong Job is refused by the same check', () => {
  const manifest = jobManifest(requests[0]) as { spec: object };
  const wrong = { ...manifest, spec: { ...manifest.spec, completions: 'many' } };
  expect(() => new Job(wrong as never).validate()).toThrow('completions must be integer');
});

test('a folder that pods do not see is refused', () => {
  expect(() => jobManifest({ ...requests[0], place: 'sweeps/beta' })).toThrow('Pods do not see “sweeps/beta”.');
});
