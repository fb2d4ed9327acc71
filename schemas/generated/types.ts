// Generated from the JSON Schemas by `npm run generate`. Do not edit.

/**
 * What is rented: the least persistent and least exclusive class that meets memory, latency, throughput, residency and control needs.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "AllocationBoundary".
 */
export type AllocationBoundary = 'serverless' | 'vm' | 'dedicated-node' | 'cluster';
/**
 * How the measured value is compared with the threshold.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "Comparator".
 */
export type Comparator = '>=' | '<=' | '>' | '<' | '==' | '!=' | 'in';

/**
 * The contract that can fail: short enough to run again and again, specific enough to reject a bad environment.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "AcceptanceCard".
 */
export interface AcceptanceCard {
  /**
   * Always AcceptanceCard.
   */
  kind: 'AcceptanceCard';
  /**
   * Version of this format.
   */
  schemaVersion: 1;
  /**
   * Short name of the card.
   */
  name: string;
  /**
   * What this card accepts or rejects.
   */
  description?: string;
  /**
   * Path of the workload brief, relative to this file.
   */
  brief?: string;
  owner?: Owner;
  /**
   * Profile whose ceilings and published expectations the thresholds are compared with.
   */
  profile?: string;
  /**
   * What is accepted: node, instance id, partition, order number.
   */
  targetEntity?: string;
  /**
   * What is rented and what it includes: confirm, never assume.
   */
  allocationBoundary?: {
    class: AllocationBoundary;
    /**
     * The six things to confirm.
     */
    includes?: {
      /**
       * Guaranteed or best effort.
       */
      gpuCapacity?: string;
      /**
       * Shell, root, containers.
       */
      runtimeAccess?: string;
      /**
       * What survives a stop.
       */
      storagePersistence?: string;
      /**
       * Bandwidth, addresses, isolation.
       */
      network?: string;
      /**
       * What the provider repairs and how fast.
       */
      supportBoundary?: string;
      /**
       * Notice before the machine is taken.
       */
      interruptionBehaviour?: string;
    };
    /**
     * Why a less exclusive or less persistent class does not fit.
     */
    reason?: string;
  };
  /**
   * Required memory.
   */
  acceleratorMemory?: {
    /**
     * Memory of one GPU.
     */
    perGpu?: string;
    gpus?: number;
  };
  /**
   * Compatible driver and runtime.
   */
  runtime?: {
    /**
     * Version or range.
     */
    driver?: string;
    /**
     * Version or range.
     */
    cuda?: string;
    /**
     * Immutable reference by digest.
     */
    image?: string;
    framework?: string;
    modelServer?: string;
    lockfile?: string;
  };
  /**
   * Links that must be there.
   */
  topology?: {
    gpusPerNode?: number;
    nodes?: number;
    /**
     * As in `nvidia-smi topo -m`.
     */
    link?: string;
    fabric?: string;
  };
  /**
   * How the work reaches the GPUs.
   */
  schedulerPath?: {
    kind?: 'direct' | 'slurm' | 'kubernetes' | 'serverless-queue';
    /**
     * Kubernetes manifests. A manifest is a scheduling request, not proof of readiness.
     */
    manifests?: string[];
    /**
     * Slurm partition.
     */
    partition?: string;
  };
  /**
   * The job that this card runs.
   */
  acceptanceWorkload?: string;
  layers?: Layers;
  questions?: Questions;
  /**
   * Machines that the card can run on.
   *
   * @minItems 1
   */
  targets: Target[];
  drainAuthorization?: DrainAuthorization;
  /**
   * The five stages, each with its probes and criteria.
   */
  stages: {
    'environment-smoke'?: Stage;
    functional?: Stage;
    'representative-load'?: Stage;
    failure?: Stage;
    'acceptance-review'?: Stage;
  };
  restoreTest?: RestoreTest;
  /**
   * What is broken on purpose, and what must then happen.
   */
  failureTests?: FailureTest[];
  cost?: Cost;
  readiness?: Readiness;
  /**
   * Named, dated and reasoned exceptions. They stay visible inside the verdict.
   */
  waivers?: Waiver[];
  decision?: Decision;
}
/**
 * The named person who answers for this work. A team alias alone is not an owner.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "Owner".
 */
export interface Owner {
  /**
   * Full name of the person.
   */
  name: string;
  /**
   * Where the person is reached.
   */
  email?: string;
  /**
   * The team behind the person.
   */
  team?: string;
}
/**
 * A rental that is cheap in one layer can still be unfit in another: confirm all six.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "Layers".
 */
export interface Layers {
  /**
   * GPU model, memory, partitioning, tenancy, quota and duration.
   */
  capacity?: {
    /**
     * Model and form factor.
     */
    gpuModel?: string;
    /**
     * Number of GPUs.
     */
    gpus?: number;
    /**
     * Memory of one GPU.
     */
    memoryPerGpu?: string;
    /**
     * MIG, vGPU or none.
     */
    partitioning?: string;
    /**
     * Who else is on the machine.
     */
    tenancy?: 'exclusive' | 'shared';
    /**
     * Limit of the account.
     */
    quota?: string;
    /**
     * How long the first rental lasts.
     */
    duration?: string;
  };
  /**
   * Driver, CUDA libraries, container runtime, framework, model server and lockfile.
   */
  runtime?: {
    /**
     * Version or range.
     */
    driver?: string;
    /**
     * Version or range.
     */
    cuda?: string;
    /**
     * Name and version.
     */
    containerRuntime?: string;
    /**
     * Immutable reference.
     */
    image?: string;
    /**
     * Name and version.
     */
    framework?: string;
    /**
     * Name and version.
     */
    modelServer?: string;
    /**
     * File that pins the packages.
     */
    lockfile?: string;
  };
  /**
   * Object storage, volumes, checkpoints, model artefacts, encryption, lifecycle rules and restore test.
   */
  data?: {
    /**
     * Bucket and region.
     */
    objectStorage?: string;
    /**
     * Attached storage.
     */
    volumes?: string[];
    /**
     * Where checkpoints live.
     */
    checkpoints?: string;
    /**
     * Where weights come from.
     */
    modelArtefacts?: string;
    /**
     * At rest and in transit.
     */
    encryption?: string;
    /**
     * What is deleted when.
     */
    lifecycleRules?: string;
    /**
     * Id of the restore test in the card.
     */
    restoreTest?: string;
  };
  /**
   * Ingress, service-to-service paths, private links, firewall, image pulls and multi-GPU or multi-node fabric.
   */
  network?: {
    /**
     * How requests arrive.
     */
    ingress?: string;
    /**
     * Internal paths.
     */
    serviceToService?: string;
    /**
     * Links that avoid the internet.
     */
    privateLinks?: string;
    /**
     * Rules.
     */
    firewall?: string;
    /**
     * Where images come from.
     */
    imagePulls?: string;
    /**
     * Links between GPUs and nodes.
     */
    fabric?: string;
  };
  /**
   * Queue, autoscaling, placement, retries, drain and capacity fallback.
   */
  scheduling?: {
    /**
     * How work waits.
     */
    queue?: string;
    /**
     * Rule and bounds.
     */
    autoscaling?: string;
    /**
     * Node labels or constraints.
     */
    placement?: string;
    /**
     * How often and when.
     */
    retries?: string;
    /**
     * How a worker is drained.
     */
    drain?: string;
    /**
     * Where the work goes.
     */
    capacityFallback?: string;
  };
  /**
   * Identity, secrets, logs, metrics, health checks, diagnostics, budgets and incident owner.
   */
  operations?: {
    /**
     * How people and services log in.
     */
    identity?: string;
    /**
     * Where secrets are kept, never the secrets themselves.
     */
    secrets?: string;
    /**
     * Where logs go.
     */
    logs?: string;
    /**
     * Where metrics go.
     */
    metrics?: string;
    /**
     * What is checked, and who is told.
     */
    healthChecks?: string;
    /**
     * When diagnostics run without disturbing tenants.
     */
    diagnostics?: string;
    /**
     * Limit and alarm.
     */
    budgets?: string;
    /**
     * Who acts.
     */
    incidentOwner?: string;
  };
}
/**
 * What must persist, stay private, scale, and what happens when capacity disappears.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "Questions".
 */
export interface Questions {
  /**
   * What is kept, what may vanish, and how it is restored. An attached volume is not a restore plan.
   */
  persist?: {
    /**
     * What must survive the machine.
     */
    keep?: string[];
    /**
     * What can be rebuilt.
     */
    mayVanish?: string[];
    /**
     * How it comes back, on another machine, and how long that may take.
     */
    restorePlan?: string;
    /**
     * Id of the card's restore test.
     */
    restoreTest?: string;
  };
  /**
   * Privacy decides tenancy, network and administration.
   */
  private?: {
    /**
     * Kinds of private data.
     */
    data?: string[];
    /**
     * Network and identity boundary.
     */
    boundary?: string;
    /**
     * Who administers.
     */
    control?: string;
  };
  /**
   * The three shapes fail differently and need different load tests.
   */
  scale?: {
    /**
     * How the work grows.
     */
    shape?: 'one-gpu-service' | 'independent-jobs' | 'coordinated-multi-gpu' | 'coordinated-multi-node';
    /**
     * What grows with what.
     */
    plan?: string;
    /**
     * The measurement that justifies more than one GPU.
     */
    measuredBottleneck?: string;
  };
  /**
   * Decided before it happens.
   */
  capacityLoss?: {
    /**
     * How much work may be lost.
     */
    checkpointCadence?: string;
    /**
     * What is retried, how often.
     */
    retryRule?: string;
    /**
     * How users see that work waits.
     */
    queueVisibility?: string;
    /**
     * Other capacity that can do the work.
     */
    alternativeClass?: string;
    /**
     * What users get meanwhile.
     */
    degradedPath?: string;
  };
}
/**
 * One machine, reached over SSH.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "Target".
 */
export interface Target {
  /**
   * Name used on the command line and in the evidence.
   */
  name: string;
  /**
   * Address or name.
   */
  host: string;
  /**
   * SSH port.
   */
  port?: number;
  /**
   * SSH user.
   */
  user: string;
  /**
   * How to log in. Passwords are asked for and never stored in a file.
   */
  authentication?: 'agent' | 'key' | 'password';
  /**
   * Private key on this computer.
   */
  identityFile?: string;
  /**
   * How commands start on the machine.
   */
  launcher?: 'direct';
}
/**
 * Permission to run invasive tests: they take real capacity.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "DrainAuthorization".
 */
export interface DrainAuthorization {
  /**
   * The person who may drain this capacity.
   */
  authorizedBy: string;
  /**
   * Ticket or message.
   */
  reference?: string;
  /**
   * Names of the targets that may be drained.
   */
  targets: string[];
  /**
   * UTC.
   */
  from?: string;
  /**
   * UTC.
   */
  until?: string;
  /**
   * Milliseconds that one invasive probe may take.
   */
  maximumDurationMs?: number;
}
/**
 * Probes that gather evidence and criteria that judge it.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "Stage".
 */
export interface Stage {
  description?: string;
  /**
   * Run in this order; monitors run beside the others.
   */
  probes?: ProbeEntry[];
  /**
   * What must hold.
   */
  criteria?: Criterion[];
}
/**
 * One probe of this stage.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "ProbeEntry".
 */
export interface ProbeEntry {
  /**
   * Which probe runs.
   */
  id:
    | 'nvidia-smi-list'
    | 'nvidia-smi-query'
    | 'nvidia-smi-topo'
    | 'nvidia-smi-nvlink'
    | 'nvidia-smi-xml'
    | 'dcgmi-discovery'
    | 'dcgmi-diag'
    | 'dcgmi-dmon'
    | 'dcgmi-health'
    | 'dcgmi-nvlink'
    | 'kernel-xid'
    | 'nccl-tests'
    | 'nccl-debug'
    | 'torch-distributed'
    | 'vllm-metrics'
    | 'vllm-bench'
    | 'guidellm'
    | 'aiperf'
    | 'genai-perf'
    | 'sglang-bench'
    | 'sglang-metrics'
    | 'llmperf'
    | 'inference-perf'
    | 'mlperf-log'
    | 'prometheus'
    | 'checkpoint-restore';
  /**
   * Name of this entry; absent: the probe id.
   */
  name?: string;
  /**
   * Parameters of the probe.
   */
  with?: {};
  /**
   * Name of an earlier probe entry of this stage whose output this probe reads, instead of running a command.
   */
  from?: string;
  /**
   * Milliseconds after which the probe and all its processes are ended.
   */
  timeoutMs?: number;
  /**
   * A required probe that gives no measurement makes the verdict inconclusive.
   */
  required?: boolean;
}
/**
 * One line of the contract that can fail.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "Criterion".
 */
export interface Criterion {
  /**
   * Stable name, shown in the verdict.
   */
  id: string;
  /**
   * What it protects.
   */
  description?: string;
  /**
   * Name of the probe entry whose measurements count; absent: every probe of the stage.
   */
  probe?: string;
  /**
   * Metric id.
   */
  metric: string;
  /**
   * Labels that a measurement must have (size, collective, percentile…).
   */
  labels?: {
    [k: string]: string | number;
  };
  /**
   * How several matching measurements become one value. `every` demands that each one meets the bound.
   */
  statistic?: 'every' | 'min' | 'max' | 'mean' | 'median' | 'p50' | 'p90' | 'p95' | 'p99' | 'last' | 'sum' | 'count';
  comparator: Comparator;
  /**
   * The threshold with its unit, or a list for `in`.
   */
  value: string | number | (string | number)[];
  /**
   * A required criterion decides the verdict; an advisory one is only reported.
   */
  level?: 'required' | 'advisory';
  /**
   * Observations behind the value before it counts.
   */
  minimumSamples?: number;
  /**
   * How many measurements must match, for example one a GPU. Fewer is inconclusive.
   */
  expectedCount?: number;
  context?: Context;
  /**
   * Id of the brief's performance objective that this criterion proves.
   */
  objective?: string;
  source?: Source;
}
/**
 * Where the threshold holds. A measurement from another context cannot meet it.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "Context".
 */
export interface Context {
  /**
   * Transport that the traffic used.
   */
  fabric?: string;
  gpus?: number;
  nodes?: number;
  ranks?: number;
  collective?: string;
  /**
   * Message size.
   */
  messageSize?: string;
  load?: LoadPoint;
  dcgmLevel?: number;
  precision?: string;
  gpuModel?: string;
}
/**
 * The load at which a latency or throughput number holds.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "LoadPoint".
 */
export interface LoadPoint {
  /**
   * Requests in flight.
   */
  concurrency?: number;
  /**
   * Requests offered per second.
   */
  requestRate?: string;
  /**
   * Mean prompt length.
   */
  inputTokens?: number;
  /**
   * Mean answer length.
   */
  outputTokens?: number;
  /**
   * Length of the load phase in milliseconds.
   */
  durationMs?: number;
}
/**
 * Where the number comes from. A threshold without a source cannot be defended.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "Source".
 */
export interface Source {
  kind:
    | 'brief'
    | 'contract'
    | 'vendor-doc'
    | 'published-measurement'
    | 'own-measurement'
    | 'hardware-ceiling'
    | 'engineering-judgement';
  /**
   * Document, link, order or run.
   */
  reference?: string;
  date?: string;
  expires?: string;
}
/**
 * Proof that a checkpoint comes back.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "RestoreTest".
 */
export interface RestoreTest {
  id: string;
  /**
   * Name of the probe entry that runs it.
   */
  probe?: string;
  /**
   * What is restored, from where to where.
   */
  what?: string;
  /**
   * Longest acceptable restore.
   */
  maximumDuration?: string;
  /**
   * How equality is judged.
   */
  equality?: string;
}
/**
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "FailureTest".
 */
export interface FailureTest {
  id: string;
  /**
   * What is broken.
   */
  action: 'drain-worker' | 'stop-worker' | 'restart-service' | 'invalidate-cache' | 'dependency-outage';
  /**
   * Checkpoints, retries, alerts and user-visible state.
   */
  expected?: string;
  /**
   * Who is told.
   */
  alertOwner?: string;
  /**
   * Filled in after the test.
   */
  result?: 'not-run' | 'as-expected' | 'not-as-expected';
  /**
   * Where the timeline is kept.
   */
  evidence?: string;
}
/**
 * Cost per completed work: each billed component counts once; idle time and failed jobs explain the result and are never added again.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "Cost".
 */
export interface Cost {
  /**
   * ISO 4217 code of every amount.
   */
  currency?: string;
  /**
   * The denominator: what counts as done.
   */
  completedWork?: string;
  /**
   * How many were accepted or completed in the period.
   */
  acceptedCount?: number;
  /**
   * Tracked apart, so that a fast rental cannot hide a quality problem.
   */
  rejectedCount?: number;
  /**
   * Tracked apart.
   */
  retriedCount?: number;
  /**
   * The billed period.
   */
  period?: {
    /**
     * UTC.
     */
    from: string;
    /**
     * UTC.
     */
    until: string;
  };
  /**
   * Non-overlapping billed parts.
   *
   * Items: One line of the bill.
   */
  components?: {
    /**
     * What is billed.
     */
    kind: 'accelerator' | 'host' | 'storage' | 'snapshots' | 'network' | 'egress' | 'support' | 'licence';
    /**
     * As on the bill.
     */
    description?: string;
    /**
     * In the record's currency.
     */
    amount: number;
    /**
     * UTC; absent: the record's period.
     */
    from?: string;
    /**
     * UTC.
     */
    until?: string;
    /**
     * Kinds that this line already covers.
     */
    includes?: ('accelerator' | 'host' | 'storage' | 'snapshots' | 'network' | 'egress' | 'support' | 'licence')[];
  }[];
  /**
   * Explain the result; already inside billed accelerator time, never added again.
   */
  diagnostics?: {
    /**
     * Billed hours without work.
     */
    idleHours?: number;
    /**
     * Jobs that failed inside billed time.
     */
    failedJobs?: number;
  };
  /**
   * Highest acceptable cost of one completed work.
   */
  ceiling?: number;
}
/**
 * All eight items, before extending or going to production. Computed where it can be; a statement here needs its evidence.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "Readiness".
 */
export interface Readiness {
  brief?: ReadinessItem;
  boundary?: ReadinessItem;
  runtime?: ReadinessItem;
  load?: ReadinessItem;
  operations?: ReadinessItem;
  stopRule?: ReadinessItem;
  cost?: ReadinessItem;
  fallback?: ReadinessItem;
}
/**
 * One item of the readiness checklist.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "ReadinessItem".
 */
export interface ReadinessItem {
  /**
   * True when the item is met.
   */
  done?: boolean;
  /**
   * File, run or statement that shows it.
   */
  evidence?: string;
  /**
   * Who says so.
   */
  by?: string;
}
/**
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "Waiver".
 */
export interface Waiver {
  /**
   * Id of the waived criterion.
   */
  criterion: string;
  /**
   * Who decided.
   */
  by: string;
  date: string;
  /**
   * Why it is acceptable.
   */
  reason: string;
  /**
   * Last day on which it holds.
   */
  until?: string;
}
/**
 * What was decided, and on which evidence.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "Decision".
 */
export interface Decision {
  outcome: 'extend' | 'reserve' | 'dedicate' | 'scale' | 'choose-other-abstraction' | 'reject';
  by?: string;
  date?: string;
  /**
   * Runs and bundles that it rests on.
   */
  evidence?: string[];
  reason?: string;
  /**
   * When it must be looked at again.
   */
  expires?: string;
}
/**
 * How the model is split. The product of tensor, pipeline and data is the number of GPUs.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "Parallelism".
 */
export interface Parallelism {
  /**
   * GPUs that share each layer.
   */
  tensor?: number;
  /**
   * Stages that the layers are cut into.
   */
  pipeline?: number;
  /**
   * Full replicas.
   */
  data?: number;
  /**
   * What data-parallel ranks share instead of each holding it: nothing, optimiser state (ZeRO 1), that and gradients (ZeRO 2), or weights too (ZeRO 3, FSDP).
   */
  sharding?: 'none' | 'optimizer-state' | 'gradients' | 'weights';
}
/**
 * One bound that the work cannot exceed: phase, percentile, value with unit, load point and sample size.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "Objective".
 */
export interface Objective {
  /**
   * Name that criteria refer to.
   */
  id: string;
  /**
   * Metric id of the measurement that proves it.
   */
  metric: string;
  /**
   * Which part of the work the number is about.
   */
  phase?:
    | 'start-up'
    | 'queue'
    | 'prefill'
    | 'decode'
    | 'first-token'
    | 'inter-token'
    | 'end-to-end'
    | 'throughput'
    | 'training-step'
    | 'collective'
    | 'checkpoint'
    | 'completed-work';
  /**
   * A latency without a percentile says nothing about its tail.
   */
  percentile?: 'p50' | 'p90' | 'p95' | 'p99' | 'mean' | 'max' | 'min';
  comparator: Comparator;
  /**
   * The bound, with its unit.
   */
  value: string | number;
  load?: LoadPoint;
  /**
   * Observations that the statistic needs before it counts.
   */
  minimumSamples?: number;
}
/**
 * A file with its hash, so that the next engineer can repeat the test with the same input.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "InputFile".
 */
export interface InputFile {
  /**
   * Relative to this file, or an address.
   */
  path: string;
  /**
   * Hash of the file's bytes.
   */
  sha256?: string;
  /**
   * What the inputs stand for.
   */
  description?: string;
}
/**
 * What a GPU is by its data sheet, and what others published that they measured.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "HardwareProfile".
 */
export interface HardwareProfile {
  id: string;
  name: string;
  vendor?: 'nvidia' | 'amd';
  /**
   * Texts that the tool's GPU name contains.
   */
  match?: string[];
  memory: {
    perGpu: string;
    bandwidth?: string;
    source?: ProfileSource;
  };
  links: {
    kind: string;
    /**
     * Both directions together.
     */
    perGpuBandwidth?: string;
    count?: number;
    source?: ProfileSource;
  }[];
  /**
   * Values that no honest measurement can pass.
   */
  ceilings?: {
    metric: string;
    value: string | number;
    context?: {
      [k: string]: string | number;
    };
    source: ProfileSource;
  }[];
  power?: {
    limit?: string;
    source?: ProfileSource;
  };
  boundaryNotes?: string[];
  /**
   * Disagreeing sources stand side by side.
   */
  expectations?: {
    metric: string;
    comparator?: Comparator;
    value: string | number;
    context: {
      [k: string]: string | number;
    };
    source: ProfileSource;
  }[];
}
/**
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "ProfileSource".
 */
export interface ProfileSource {
  publisher: string;
  reference?: string;
  date?: string;
}
/**
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "NvidiaSmiQueryParameters".
 */
export interface NvidiaSmiQueryParameters {
  /**
   * Query fields; absent: the standard set that the host's nvidia-smi knows.
   */
  fields?: string[];
}
/**
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "DcgmiDiagParameters".
 */
export interface DcgmiDiagParameters {
  /**
   * 1 is quick and does not load the GPUs; 2 and above take real capacity.
   */
  level?: number;
  /**
   * Entities to test; absent: all GPUs.
   */
  entities?: string[];
}
/**
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "DcgmiDmonParameters".
 */
export interface DcgmiDmonParameters {
  /**
   * DCGM field ids; absent: utilisation, temperature, power and clocks.
   */
  fieldIds?: number[];
  /**
   * Time between samples in milliseconds.
   */
  intervalMs?: number;
}
/**
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "NcclTestsParameters".
 */
export interface NcclTestsParameters {
  /**
   * Which nccl-tests program runs.
   */
  collective?:
    | 'all_reduce'
    | 'all_gather'
    | 'reduce_scatter'
    | 'broadcast'
    | 'reduce'
    | 'alltoall'
    | 'sendrecv'
    | 'scatter'
    | 'gather';
  /**
   * nccl-tests size, such as 8M.
   */
  minBytes?: string;
  /**
   * nccl-tests size, such as 8G.
   */
  maxBytes?: string;
  /**
   * Each size is the last one times this.
   */
  stepFactor?: number;
  /**
   * GPUs of one process; absent: all.
   */
  gpus?: number;
  /**
   * Timed iterations per size.
   */
  iterations?: number;
  /**
   * Iterations before timing.
   */
  warmupIterations?: number;
}
/**
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "TorchDistributedParameters".
 */
export interface TorchDistributedParameters {
  /**
   * Processes, one a GPU; absent: all.
   */
  gpus?: number;
}
/**
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "VllmMetricsParameters".
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "SglangMetricsParameters".
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "PrometheusParameters".
 */
export interface VllmMetricsParameters {
  /**
   * Address as seen from the machine.
   */
  host?: string;
  /**
   * Port of the model server.
   */
  port?: number;
  /**
   * Path of the metrics.
   */
  path?: string;
  /**
   * Time between scrapes in milliseconds.
   */
  intervalMs?: number;
  /**
   * Number of scrapes; absent: while the other probes of the stage run.
   */
  count?: number;
}
/**
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "VllmBenchParameters".
 */
export interface VllmBenchParameters {
  /**
   * Model name as served.
   */
  model?: string;
  /**
   * Address as seen from the machine.
   */
  host?: string;
  port?: number;
  /**
   * Path on the machine of a prompt file; absent: random prompts, a weak substitute.
   */
  dataset?: string;
  /**
   * Number of requests.
   */
  prompts?: number;
  /**
   * Requests per second; absent: unlimited.
   */
  requestRate?: number;
  /**
   * Most requests in flight.
   */
  concurrency?: number;
  /**
   * Random prompts only.
   */
  inputTokens?: number;
  /**
   * Random prompts only.
   */
  outputTokens?: number;
  seed?: number;
}
/**
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "CheckpointRestoreParameters".
 */
export interface CheckpointRestoreParameters {
  /**
   * Absolute path on the machine in which the checkpoint is written.
   */
  directory?: string;
  /**
   * Size of the test checkpoint.
   */
  size?: string;
  /**
   * Seed of the data.
   */
  seed?: number;
  /**
   * Program and arguments that write a real checkpoint.
   */
  write?: string[];
  /**
   * Program and arguments that restore it.
   */
  restore?: string[];
  /**
   * Program and arguments that compare the restored state.
   */
  verify?: string[];
}
/**
 * The work that must be completed and the bounds that cannot move. It comes before any machine is chosen.
 *
 * This interface was referenced by `Schemas`'s JSON-Schema
 * via the `definition` "WorkloadBrief".
 */
export interface WorkloadBrief {
  /**
   * Always WorkloadBrief.
   */
  kind: 'WorkloadBrief';
  /**
   * Version of this format.
   */
  schemaVersion: 1;
  /**
   * Short name of the work.
   */
  name: string;
  /**
   * What the work is for, in a sentence or two.
   */
  description?: string;
  owner?: Owner;
  incidentOwner?: Owner;
  /**
   * What kind of work it is. Decides which stages are mandatory.
   */
  workload?: {
    /**
     * Training and fine-tuning need a restore test.
     */
    kind: 'training' | 'fine-tuning' | 'inference' | 'media' | 'batch' | 'evaluation';
    /**
     * What counts as one accepted output or completed job.
     */
    completedWork?: string;
    /**
     * Details that a reader needs.
     */
    description?: string;
  };
  /**
   * Model and its pinned revision.
   */
  model?: {
    /**
     * Name as in the registry.
     */
    name: string;
    /**
     * Immutable id: a commit or a digest. `main` and `latest` move.
     */
    revision?: string;
    /**
     * If it is kept apart from the model.
     */
    tokenizerRevision?: string;
    /**
     * Link or file.
     */
    card?: string;
    /**
     * Name or link.
     */
    license?: string;
  };
  /**
   * Number formats. They decide memory and speed.
   */
  precision?: {
    /**
     * Format in GPU memory.
     */
    weights: 'fp32' | 'tf32' | 'bf16' | 'fp16' | 'fp8' | 'int8' | 'fp6' | 'fp4' | 'int4';
    /**
     * Format of activations.
     */
    activations?: 'fp32' | 'tf32' | 'bf16' | 'fp16' | 'fp8' | 'int8' | 'fp4';
    /**
     * Format of the KV cache.
     */
    kvCache?: 'fp32' | 'bf16' | 'fp16' | 'fp8' | 'int8' | 'fp4';
    /**
     * Format of the optimiser state.
     */
    optimizer?: 'fp32' | 'bf16' | 'fp16' | 'int8';
  };
  /**
   * What must fit into accelerator memory, over all GPUs of one replica, and the headroom that stays free.
   */
  memoryShape?: {
    /**
     * Model weights.
     */
    weights?: string;
    /**
     * KV cache at the load point.
     */
    kvCache?: string;
    /**
     * Optimiser state (training).
     */
    optimizerState?: string;
    /**
     * Gradients (training).
     */
    gradients?: string;
    /**
     * Activations and workspace.
     */
    activations?: string;
    /**
     * What must stay free.
     */
    headroom?: string;
    /**
     * GPUs of one replica.
     */
    gpus?: number;
    /**
     * Memory that one GPU must have.
     */
    memoryPerGpu?: string;
    parallelism?: Parallelism;
    /**
     * Numbers from the model's configuration that the memory shape is computed from.
     */
    architecture?: {
      /**
       * Number of parameters.
       */
      parameters?: number;
      /**
       * Parameters used per token (mixture of experts).
       */
      activeParameters?: number;
      /**
       * Number of transformer layers.
       */
      layers?: number;
      /**
       * Key-value heads.
       */
      kvHeads?: number;
      /**
       * Dimension of one head.
       */
      headSize?: number;
      /**
       * Model dimension.
       */
      hiddenSize?: number;
    };
    /**
     * Longest context in tokens.
     */
    contextTokens?: number;
    /**
     * Sequences held at the same time.
     */
    concurrency?: number;
    /**
     * Memory that one GPU cannot hold, or a measured bottleneck. Several GPUs are a different architecture to test, not a multiplier.
     */
    reasonForSeveralGpus?: string;
  };
  /**
   * One bound per phase, each with percentile, unit, load point and sample size.
   */
  performanceObjectives?: Objective[];
  /**
   * Inputs that look like production. Synthetic inputs are a weak substitute.
   */
  inputs?: {
    /**
     * Where the inputs come from.
     */
    kind: 'production-sample' | 'representative' | 'synthetic';
    /**
     * The model card that names intended inputs.
     */
    modelCard?: string;
    promptSet?: InputFile;
    dataSlice?: InputFile;
    /**
     * Distribution of input and output lengths.
     */
    promptLengthMix?: string;
    load?: LoadPoint;
    /**
     * What happens before the model.
     */
    preProcessing?: string;
    /**
     * Seed of sampling and shuffling.
     */
    seed?: number;
    /**
     * Why nothing representative can be used, and what the result then cannot prove.
     */
    reasonForSynthetic?: string;
  };
  /**
   * Rule that decides whether an output is accepted.
   */
  quality?: {
    /**
     * What a valid output looks like.
     */
    outputFormat?: string;
    /**
     * What must be refused or filtered.
     */
    safetyLogic?: string;
    /**
     * How an output is judged.
     */
    acceptanceRule?: string;
  };
  /**
   * Where data may go and who may touch it.
   */
  dataBoundary?: {
    /**
     * Regions or jurisdictions in which data may be stored and processed.
     */
    residency?: string[];
    /**
     * What must stay private.
     */
    private?: string[];
    /**
     * What leaves the boundary as telemetry, or `none`.
     */
    telemetry?: string;
    /**
     * Registries that images and models may come from.
     */
    registries?: string[];
    /**
     * Destinations that the service may reach; an empty list means none.
     */
    egress?: string[];
    /**
     * Who can log in, and what the provider's staff can see.
     */
    administration?: string;
  };
  questions?: Questions;
  layers?: Layers;
  allocationBoundary?: AllocationBoundary;
  /**
   * Links that the work needs.
   */
  topology?: {
    gpusPerNode?: number;
    nodes?: number;
    /**
     * Link between GPUs.
     */
    link?: string;
    /**
     * Links between nodes.
     */
    fabric?: string;
  };
  /**
   * How the work reaches the GPUs.
   */
  schedulerPath?: 'direct' | 'slurm' | 'kubernetes' | 'serverless-queue';
  /**
   * The job that the card runs.
   */
  acceptanceWorkload?: string;
  cost?: Cost;
  /**
   * Shut-down, scale-down or reservation-review rule, with a date or a trigger.
   */
  stopRule?: string;
  /**
   * Path for lost allocation, shortage or a failed deployment.
   */
  fallback?: string;
}
