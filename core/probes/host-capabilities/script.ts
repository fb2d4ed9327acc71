/**
 * One POSIX shell script that looks at a machine and changes nothing: it writes no file, starts no service, sets no option.
 * It is sent over standard input to `sh -s`, so every command inside gets an empty standard input of its own.
 *
 * Output, line by line (format 1):
 *   `@capabilities 1`            first line
 *   `@fact NAME VALUE`           one known thing
 *   `@tool NAME PATH`            a program that was found
 *   `@begin NAME` … `@end NAME EXIT-CODE`   output of one command as it came; the code is `timeout` when it did not answer
 *   `@done`                      last line: without it the output is not whole
 */

const NCCL_TESTS = ['all_reduce', 'all_gather', 'reduce_scatter', 'broadcast', 'reduce', 'alltoall', 'sendrecv', 'scatter', 'gather'].map((name) => `${name}_perf`);

const TOOLS = [
  'nvidia-smi', 'dcgmi', 'nv-hostengine', 'nvcc', 'python3', 'torchrun', 'vllm', 'curl', 'mpirun', 'srun', 'sinfo', 'kubectl',
  'dmesg', 'journalctl', 'lspci', 'ibstat', 'numactl', 'timeout', 'sha256sum', ...NCCL_TESTS,
];

/** Where tools lie that are often not on the PATH of a shell without a login. */
const FOLDERS = [
  '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/sbin', '/usr/local/cuda/bin', '/usr/lib/wsl/lib', '/opt/nccl-tests/build',
  '/opt/nccl-tests', '/opt/nccl_tests/build', '/usr/local/nccl-tests/build', '/opt/slurm/bin', '/opt/amazon/openmpi/bin', '/opt/conda/bin',
];
const HOME_FOLDERS = ['nccl-tests/build', '.local/bin', 'miniconda3/bin', 'venv/bin'];

/** `wait` returns when the watcher's signal comes, even while the command hangs inside the driver and cannot be killed. */
const FUNCTIONS = String.raw`
limited() {
  "$@" </dev/null 2>&1 &
  limited_pid=$!
  ( trap 'kill "$limited_sleep" 2>/dev/null; exit 0' TERM
    sleep "$tool_seconds" & limited_sleep=$!
    wait "$limited_sleep" && kill -USR1 "$self" ) </dev/null >/dev/null 2>&1 &
  limited_watcher=$!
  timed_out=
  wait "$limited_pid" 2>/dev/null
  limited_code=$?
  if [ -n "$timed_out" ]; then kill -9 "$limited_pid" 2>/dev/null; limited_code=timeout; fi
  kill "$limited_watcher" 2>/dev/null
}
section() {
  section_name=$1; shift
  printf '@begin %s\n' "$section_name"
  limited "$@"
  printf '\n@end %s %s\n' "$section_name" "$limited_code"
}
fact() { [ -z "$2" ] || printf '@fact %s %s\n' "$1" "$2"; }
first_line() { [ -r "$1" ] && head -n 1 "$1" 2>/dev/null; }
find_tool() {
  found=$(command -v "$1" 2>/dev/null)
  case $found in /*) ;; *)
    found=
    for folder in $folders; do
      if [ -x "$folder/$1" ] && [ -f "$folder/$1" ]; then found=$folder/$1; break; fi
    done
  esac
  [ -z "$found" ] || printf '@tool %s %s\n' "$1" "$found"
}
`;

const SURROUNDINGS = String.raw`
fact root "$([ "$(id -u 2>/dev/null)" = 0 ] && echo yes || echo no)"
fact kernel "$(uname -sr 2>/dev/null)"
fact machine "$(uname -m 2>/dev/null)"
container=
[ -n "$KUBERNETES_SERVICE_HOST" ] && container=kubernetes
[ -z "$container" ] && [ -e /.dockerenv ] && container=docker
[ -z "$container" ] && [ -e /run/.containerenv ] && container=podman
[ -z "$container" ] && container=$(tr '\0' '\n' </proc/1/environ 2>/dev/null | sed -n 's/^container=//p' | head -n 1)
[ -z "$container" ] && container=$(sed -n 's/.*\(docker\|kubepods\|containerd\|lxc\|libpod\).*/\1/p' /proc/1/cgroup 2>/dev/null | head -n 1)
fact container "$container"
virtual=
if command -v systemd-detect-virt >/dev/null 2>&1; then virtual=$(systemd-detect-virt -v 2>/dev/null); [ "$virtual" = none ] && virtual=; fi
[ -z "$virtual" ] && grep -q '^flags.* hypervisor' /proc/cpuinfo 2>/dev/null && virtual=$(first_line /sys/class/dmi/id/sys_vendor | tr ' ' '-')
[ -z "$virtual" ] && grep -q '^flags.* hypervisor' /proc/cpuinfo 2>/dev/null && virtual=hypervisor
fact virtual-machine "$virtual"
[ -n "$SLURM_JOB_ID" ] && fact slurm-job yes
[ -r /proc/driver/nvidia/version ] && section driver-version head -n 2 /proc/driver/nvidia/version
`;

const LOOKS = String.raw`
section kernel-log-dmesg sh -c 'line=$(dmesg 2>/dev/null | head -n 1); [ -n "$line" ] && echo readable'
section kernel-log-journal sh -c 'line=$(journalctl -k -b -n 1 -q --no-pager 2>/dev/null); [ -n "$line" ] && echo readable'
if [ -n "$smi" ]; then
  section smi-list "$smi" -L
  section smi-banner "$smi"
  section smi-help "$smi" --help-query-gpu
  section smi-apps "$smi" --query-compute-apps=gpu_uuid,pid --format=csv,noheader
  section smi-mig "$smi" --query-gpu=index,mig.mode.current --format=csv,noheader
fi
[ -z "$dcgmi" ] || section dcgmi-version "$dcgmi" --version
[ -z "$dcgmi" ] || section dcgmi-engine "$dcgmi" -v
[ -z "$python" ] || section python-packages "$python" -c '
import sys
print("python", sys.version.split()[0])
try:
    from importlib import metadata
except ImportError:
    sys.exit(0)
for name in ("torch", "vllm", "sglang", "nvidia-nccl-cu12", "nvidia-nccl-cu13", "nvidia-nccl-cu11"):
    try:
        print(name, metadata.version(name))
    except Exception:
        pass
'
for library in /usr/lib/x86_64-linux-gnu /usr/lib/aarch64-linux-gnu /usr/lib64 /usr/lib /usr/local/lib /usr/local/nccl/lib; do
  for file in "$library"/libnccl.so.2.*; do
    [ -f "$file" ] && fact nccl-library "$file"
  done
done
`;

const lookUp = (variable: string, tool: string): string => `${variable}=$(find_tool ${tool} | cut -d ' ' -f 3-)`;

/** `toolTimeoutSeconds`: how long each single command may take; a wedged driver makes nvidia-smi hang for good. */
export function capabilityScript(toolTimeoutSeconds = 15): string {
  const homes = HOME_FOLDERS.map((folder) => `$HOME/${folder}`).join(' ');
  return [
    'LC_ALL=C; export LC_ALL',
    'self=$$; timed_out=',
    "trap 'timed_out=yes' USR1",
    `HOME=\${HOME:-/}; folders="${FOLDERS.join(' ')} ${homes}"`,
    `tool_seconds=${toolTimeoutSeconds}`,
    FUNCTIONS.trim(),
    "echo '@capabilities 1'",
    SURROUNDINGS.trim(),
    `for tool in ${TOOLS.join(' ')}; do find_tool "$tool"; done`,
    lookUp('smi', 'nvidia-smi'),
    lookUp('dcgmi', 'dcgmi'),
    lookUp('python', 'python3'),
    LOOKS.trim(),
    "echo '@done'",
    '',
  ].join('\n');
}
