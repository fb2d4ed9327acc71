import type { Path } from '../document/source';

/** Kubernetes objects as far as the rules read them; everything may be missing or of another type. */

type Json = Record<string, unknown>;

export interface LocatedContainer {
  container: Json;
  path: Path;
}

export interface PodSpec {
  spec: Json;
  path: Path;
}

export const asMap = (value: unknown): Json | undefined => (value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Json) : undefined);
export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Where a kind keeps its pod. Kinds that have none give undefined. */
const POD_PATHS: Readonly<Record<string, Path>> = {
  Pod: ['spec'],
  Deployment: ['spec', 'template', 'spec'],
  StatefulSet: ['spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  ReplicaSet: ['spec', 'template', 'spec'],
  Job: ['spec', 'template', 'spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};

export function podOf(manifest: unknown): PodSpec | undefined {
  const path = POD_PATHS[String(asMap(manifest)?.['kind'])];
  const spec = path?.reduce<unknown>((node, key) => asMap(node)?.[key], manifest);
  return path && asMap(spec) ? { spec: asMap(spec)!, path } : undefined;
}

export function containersOf(manifest: unknown): LocatedContainer[] {
  const pod = podOf(manifest);
  if (!pod) return [];
  return ['initContainers', 'containers'].flatMap((list) =>
    asList(pod.spec[list]).flatMap((item, index) => {
      const container = asMap(item);
      return container ? [{ container, path: [...pod.path, list, index] }] : [];
    }),
  );
}

/** Extended resources of the vendors' device plugins. */
const GPU_RESOURCE = /^(nvidia\.com\/(gpu|mig-[\w.]+)|amd\.com\/gpu)$/;

export interface GpuQuantity {
  resource: string;
  value: unknown;
  path: Path;
}

export function gpuQuantities({ container, path }: LocatedContainer, list: 'limits' | 'requests'): GpuQuantity[] {
  const quantities = asMap(asMap(container['resources'])?.[list]) ?? {};
  return Object.entries(quantities).filter(([name]) => GPU_RESOURCE.test(name)).map(([resource, value]) => ({ resource, value, path: [...path, 'resources', list, resource] }));
}

export const usesGpu = (manifest: unknown): boolean => containersOf(manifest).some((located) => gpuQuantities(located, 'limits').length + gpuQuantities(located, 'requests').length > 0);
