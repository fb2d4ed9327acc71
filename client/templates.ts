/** New documents. What only the user can know is left to be filled in, and the checks say so. */
export const BRIEF_TEMPLATE = `kind: WorkloadBrief
schemaVersion: 1
name: my-workload
description: What the work is for.
owner:
  name: ""

workload:
  kind: inference
  completedWork: what counts as one accepted output
model:
  name: organisation/model
  revision: ""
precision:
  weights: bf16

memoryShape:
  weights: 16 GiB
  kvCache: 8 GiB
  headroom: 8 GiB
  gpus: 1

performanceObjectives:
  - id: ttft-p95
    metric: vllm.ttft
    phase: first-token
    percentile: p95
    comparator: "<="
    value: 500 ms
    load: { concurrency: 8 }
    minimumSamples: 100

inputs:
  kind: representative
`;

export const CARD_TEMPLATE = `kind: AcceptanceCard
schemaVersion: 1
name: my-card
description: What this card accepts or rejects.

targets:
  - name: rental
    host: gpu-01.example.com
    user: root
    authentication: agent

stages:
  environment-smoke:
    probes:
      - id: nvidia-smi-list
      - id: nvidia-smi-query
      - id: nvidia-smi-topo
      - id: dcgmi-discovery
      - id: dcgmi-diag
        with: { level: 1 }
    criteria:
      - id: gpu-count
        description: All ordered GPUs are visible.
        probe: nvidia-smi-list
        metric: gpu.count
        comparator: "=="
        value: 8
        source: { kind: contract, reference: order number }
      - id: dcgm-diag
        description: Every test of the quick diagnostic passes.
        probe: dcgmi-diag
        metric: dcgm.diag.status
        comparator: "=="
        value: pass
        source: { kind: vendor-doc, reference: DCGM user guide }
`;
