import type { Rule } from '../../contract';

export const rule: Rule = {
  id: 'brief-scale-contradiction',
  title: 'Scale and size that contradict each other',
  severity: 'error',
  appliesTo: ['brief'],
  docs: { why: 'The shape of the work decides which load test and which fabric evidence are needed; a wrong one leaves the real risk untested.' },
  check: ({ brief, at }) => {
    const shape = brief?.questions?.scale?.shape;
    const { gpus } = brief?.memoryShape ?? {};
    const { nodes, gpusPerNode = 1 } = brief?.topology ?? {};
    const all = Math.max(gpus ?? 0, nodes === undefined ? 0 : nodes * gpusPerNode);
    const place = at(['questions', 'scale', 'shape']);
    if (shape === 'one-gpu-service' && all > 1) return [{ message: `A one-GPU service, but the brief speaks of ${all} GPUs.`, ...place }];
    if (shape === 'coordinated-multi-gpu' && all === 1) return [{ message: 'Several coordinated GPUs, but the brief speaks of one.', ...place }];
    if (shape === 'coordinated-multi-node' && nodes === 1) return [{ message: 'Several coordinated nodes, but topology.nodes is 1.', ...place }];
    return shape === 'coordinated-multi-gpu' && nodes !== undefined && nodes > 1 ? [{ message: `Several GPUs of one node, but topology.nodes is ${nodes}: that is coordinated-multi-node.`, ...place }] : [];
  },
};
