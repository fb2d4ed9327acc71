"""Acceptance smoke test of PyTorch distributed on one machine.

Reads nothing and writes nothing but its output: `python3 - [GPUS] [LIMIT_SECONDS] < smoke.py`. One process a GPU creates a
CUDA context, joins an NCCL group, adds known values and compares every element, then times a 1 GiB all-reduce. The last line
of standard output is `gpu-acceptance-torch` and one JSON object. Exit code 0 only when every rank answered with right values.
"""
import json
import os
import socket
import subprocess
import sys
import threading
import time

RESULT = "gpu-acceptance-torch "
RANK_MARK = "gpu-acceptance-rank "
# A rank that lost its peers would wait for them; when one has failed, the others get this long to fail by themselves.
GRACE_SECONDS = 20

# Each rank is a fresh interpreter: this script has no file to import from, and a fork after CUDA was touched would break it.
WORKER = r'''
import datetime, json, sys, time
rank, world, limit = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
WARMUP, ITERATIONS, GIB = 5, 20, 1 << 30
report = {"rank": rank}

def smoke():
    import torch
    import torch.distributed as dist
    started = time.perf_counter()
    torch.cuda.set_device(rank)
    torch.zeros(1, device="cuda")
    torch.cuda.synchronize()
    report["contextMs"] = round((time.perf_counter() - started) * 1000, 3)
    properties = torch.cuda.get_device_properties(rank)
    report["name"] = properties.name
    if hasattr(properties, "uuid"):
        report["uuid"] = str(properties.uuid)
    if not dist.is_nccl_available():
        raise RuntimeError("this PyTorch has no NCCL")
    dist.init_process_group("nccl", rank=rank, world_size=world, timeout=datetime.timedelta(seconds=limit))
    report["backend"] = dist.get_backend()
    # Small whole numbers that differ by place and by rank: their sum is exact in float32, and a misplaced element shows.
    pattern = (torch.arange(1 << 22, device="cuda") % 1009).float()
    values = pattern + rank
    dist.all_reduce(values)
    report["wrongValues"] = int((values != pattern * world + world * (world - 1) // 2).sum().item())
    free = torch.cuda.mem_get_info(rank)[0]
    size = GIB
    while size > 1 << 20 and size > free // 4:
        size //= 2
    data = torch.zeros(size // 4, device="cuda")
    for _ in range(WARMUP):
        dist.all_reduce(data)
    torch.cuda.synchronize()
    began = time.perf_counter()
    for _ in range(ITERATIONS):
        dist.all_reduce(data)
    torch.cuda.synchronize()
    report["secondsPerAllReduce"] = (time.perf_counter() - began) / ITERATIONS
    report["sizeBytes"], report["iterations"] = size, ITERATIONS
    dist.destroy_process_group()

try:
    smoke()
except Exception as error:
    report["error"] = "%s: %s" % (type(error).__name__, " ".join(str(error).split())[:400])
print("gpu-acceptance-rank " + json.dumps(report), flush=True)
sys.exit(1 if "error" in report else 0)
'''

# In a process of its own too, so that the parent never touches CUDA.
COUNT = r'''
import json
try:
    import torch
    head = {"torch": torch.__version__, "cuda": torch.version.cuda, "hip": getattr(torch.version, "hip", None), "gpus": torch.cuda.device_count()}
    try:
        version = torch.cuda.nccl.version()
        head["nccl"] = ".".join(map(str, version)) if isinstance(version, tuple) else str(version)
    except Exception:
        pass
except Exception as error:
    head = {"gpus": 0, "error": "%s: %s" % (type(error).__name__, " ".join(str(error).split())[:400])}
print(json.dumps({key: value for key, value in head.items() if value is not None}))
'''


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def forward(process, reports, lock):
    """Passes a rank's output on as it comes, so that a full pipe never blocks the rank, and keeps its report."""
    for line in process.stdout:
        with lock:
            if line.startswith(RANK_MARK):
                reports.append(json.loads(line[len(RANK_MARK):]))
            else:
                sys.stdout.write(line)
                sys.stdout.flush()


def wait_for_all(processes, deadline):
    """Ends every rank at the deadline, or a little after one of them has failed."""
    while any(process.poll() is None for process in processes):
        if any(process.poll() for process in processes):
            deadline = min(deadline, time.monotonic() + GRACE_SECONDS)
        if time.monotonic() > deadline:
            for process in processes:
                if process.poll() is None:
                    process.kill()
        time.sleep(0.05)


def run_ranks(world, limit):
    environment = dict(os.environ, MASTER_ADDR="127.0.0.1", MASTER_PORT=str(free_port()))
    reports, lock = [], threading.Lock()
    processes = []
    for rank in range(world):
        command = [sys.executable, "-c", WORKER, str(rank), str(world), str(limit)]
        processes.append(subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, universal_newlines=True))
    threads = [threading.Thread(target=forward, args=(process, reports, lock)) for process in processes]
    for thread in threads:
        thread.start()
    wait_for_all(processes, time.monotonic() + limit)
    for thread in threads:
        thread.join()
    answered = {report["rank"] for report in reports}
    for rank, process in enumerate(processes):
        if rank not in answered:
            reports.append({"rank": rank, "error": "no answer within the limit, or ended by exit code %s" % process.returncode})
    return sorted(reports, key=lambda report: report["rank"])


def main():
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    limit = float(sys.argv[2]) if len(sys.argv) > 2 else 300.0
    answer = subprocess.run([sys.executable, "-c", COUNT], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, universal_newlines=True)
    lines = answer.stdout.splitlines()
    head = json.loads(lines[-1]) if answer.returncode == 0 and lines else {"gpus": 0, "error": "PyTorch could not be imported"}
    world = wanted or head["gpus"]
    head["ranks"] = world
    if "error" not in head and not 1 <= world <= head["gpus"]:
        head["error"] = "%d GPUs were asked for, PyTorch sees %d" % (world, head["gpus"])
    if "error" not in head:
        head["reports"] = run_ranks(world, limit)
    print(RESULT + json.dumps(head), flush=True)
    bad = "error" in head or any("error" in report or report.get("wrongValues") != 0 for report in head["reports"])
    return 1 if bad else 0


sys.exit(main())
