export interface KnownWarning {
  code: string;
  /** Follows from another failure somewhere else: shown only when nothing else explains the failure. */
  isConsequence?: boolean;
  /** Printed on sound machines too. */
  isHarmless?: boolean;
  /** What to do about it, one sentence. */
  advice?: string;
}

const VERBS_ADVICE = 'Check the adapter and its port, NCCL_IB_GID_INDEX on RoCE, and the limit of locked memory (ulimit -l).';
const SHM_ADVICE = 'Give the container more shared memory (--shm-size, --ipc=host, or an emptyDir with medium Memory).';

/** Texts of NCCL's warnings, 2.4 to 2.30 (src/init.cc, src/misc, src/transport); every other one counts as a cause. */
const WARNINGS: readonly [RegExp, KnownWarning][] = [
  [/shared memory segment|\/dev\/shm|No space left on device/i, { code: 'nccl.shm', advice: SHM_ADVICE }],
  [/Duplicate GPU detected|Multiple Ranks are using the same GPU/i, { code: 'nccl.shared-gpu', advice: 'Give each rank a GPU of its own.' }],
  [/Mismatched NCCL version/i, { code: 'nccl.version-mismatch', advice: 'Use one NCCL version on all hosts.' }],
  [/P2P is disabled between NVLINK connected GPUs/i, { code: 'nccl.nvlink-unused' }],
  // Texts of ibv_event_type_str, and the numbers of events that NCCL does not know: a subnet manager or a route daemon did its work.
  [/\bGot async (?:error )?event ?: (?:GID table change|SM change|client reregistration|SRQ limit reached|send queue drained|last WQE reached)|\bunknown event type \((?:16|17|18)\)/i, { code: 'nccl.notice', isHarmless: true }],
  [/\bGot async (?:error )?event ?: port (?:error|active)/i, { code: 'nccl.ib-link', advice: 'The link of this port went down or came back during the run: check its cable, its transceiver and the switch port.' }],
  [/Got completion (?:from peer|with error)|\basync (?:fatal |error )?event/i, { code: 'nccl.ib-completion', advice: 'Check the link, its cable and routes, and whether the peer is still alive.' }],
  [/\bibv_query_port_speed\b/, { code: 'nccl.notice', isHarmless: true }],
  [/\bCall to ibv_\w+ failed/i, { code: 'nccl.ib-call', advice: VERBS_ADVICE }],
  [/network .* not found/i, { code: 'nccl.network-not-found', advice: 'The network plugin that NCCL_NET asks for could not be loaded.' }],
  [/no socket interface found/i, { code: 'nccl.no-interface', advice: 'NCCL_SOCKET_IFNAME names no interface of this host, or none is up.' }],
  [/socketStartConnect|Connect to .* failed|connection refused|no route to host|connect.* timed out|socketPollConnect/i, { code: 'nccl.connect-failed', advice: 'Check firewall and NCCL_SOCKET_IFNAME.' }],
  [/remote process exited|Connection closed by|Socket recv failed|\[Service thread\]|\[Proxy Service\b|Net : (?:Call to recv|Connection closed)|Connection reset by peer|Broken pipe|received abort|Proxy Call to rank/i, { code: 'nccl.peer-gone', isConsequence: true }],
  [/Cuda failure|CUDA error|cudaError/i, { code: 'nccl.cuda-failure' }],
  [/No algorithm\/protocol available/i, { code: 'nccl.no-algorithm' }],
  [/mixed local Net device counts/i, { code: 'nccl.adapters-differ' }],
  [/invalid (?:root|argument|usage|device|type|op)|is not a valid pointer|mismatch/i, { code: 'nccl.invalid-usage' }],
  // The topology has no pattern of NCCL's, a library is not there, a way to register memory is not: the run goes on without.
  [/falling back to simple order|ignoring NCCL_\w+=|Failed to open libibverbs|failed to IPC register|NET\/OFI (?:Only EFA|Couldn't find any optimal provider|aws-ofi-nccl initialization failed)|Cannot get incoming CPU|Maximum retry reached for (?:accept|connect)/i, { code: 'nccl.notice', isHarmless: true }],
  // RCCL's checks of the system's settings (src/init.cc).
  [/NUMA auto b\w*ancing|^\s*Missing "[^"]*" from (?:kernel command line|environment)/i, { code: 'nccl.notice', isHarmless: true }],
  [/NET\/Plugin|libnccl-\w+|Tuner|Profiler|NCCL_\w+ set (?:by|to)|deprecated|Could not find:|(?:symbol|plugin) .*(?:not found|fail)/i, { code: 'nccl.notice', isHarmless: true }],
];

export function warningOf(text: string): KnownWarning {
  return WARNINGS.find(([pattern]) => pattern.test(text))?.[1] ?? { code: 'nccl.warning' };
}
