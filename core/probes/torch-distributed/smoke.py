"""Acceptance smoke test: one process a GPU, NCCL context, all-reduce with checked values, 1 GiB timing. One JSON line on standard output."""
import json, os, socket, subprocess, sys

RESULT = "gpu-acceptance-torch "

# Each rank is a process of its own: this script comes by standard input, so it cannot be imported or forked after CUDA began.
WORKER = r'''
import json, os, sys, time
rank, world = int(sys.argv[1]), int(sys.argv[2])
report = {"rank": rank}
try:
    import torch
    import torch.distributed as dist
    started = time.perf_counter()
    torch.cuda.set_device(rank)
    torch.zeros(1, device="cuda")
    report["contextMs"] = (time.perf_counter() - started) * 1000
    dist.init_process_group("nccl", rank=rank, world_size=world)
    values = torch.full((1 << 20,), float(rank + 1), device="cuda")
    dist.all_reduce(values)
    report["wrongValues"] = int((values != world * (world + 1) / 2).sum().item())
    data = torch.zeros((1 << 30) // 4, device="cuda")
    for _ in range(5):
        dist.all_reduce(data)
    torch.cuda.synchronize()
    began = time.perf_counter()
    for _ in range(10):
        dist.all_reduce(data)
    torch.cuda.synchronize()
    report["secondsPerAllReduce"] = (time.perf_counter() - began) / 10
    dist.destroy_process_group()
except Exception as error:
    report["error"] = "%s: %s" % (type(error).__name__, " ".join(str(error).split())[:400])
print("gpu-acceptance-rank " + json.dumps(report), flush=True)
'''

COUNT = "import json, torch; print(json.dumps({'torch': torch.__version__, 'cuda': torch.version.cuda, 'gpus': torch.cuda.device_count()}))"


def run_ranks(world):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = dict(os.environ, MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    command = [sys.executable, "-c", WORKER]
    processes = [subprocess.Popen(command + [str(rank), str(world)], env=environment, stdout=subprocess.PIPE, text=True) for rank in range(world)]
    reports = []
    for process in processes:
        for line in process.communicate()[0].splitlines():
            if line.startswith("gpu-acceptance-rank "):
                reports.append(json.loads(line[len("gpu-acceptance-rank "):]))
            else:
                print(line, flush=True)
    return reports


def main():
    head = json.loads(subprocess.run([sys.executable, "-c", COUNT], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()[-1])
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    world = wanted or head["gpus"]
    head["ranks"] = world
    if world < 1 or world > head["gpus"]:
        head["error"] = "%d GPUs were asked for, PyTorch sees %d" % (world, head["gpus"])
    else:
        head["reports"] = run_ranks(world)
    print(RESULT + json.dumps(head), flush=True)
    return 1 if "error" in head or any("error" in item or item.get("wrongValues") for item in head["reports"]) else 0


sys.exit(main())
