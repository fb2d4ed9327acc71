import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A `torch` package that stands in for PyTorch and its GPUs. Each tensor is one number, and `all_reduce` knows what the sum over
 * all ranks would be. FAKE_GPUS: how many there are. FAKE_WRONG, FAKE_ERROR, FAKE_HANG, FAKE_CHATTER: the rank that adds wrongly,
 * raises, never comes back, or writes more than a pipe holds.
 */
const TORCH = String.raw`
import os, time
__version__ = "2.9.9"
chosen = {"rank": -1}
class version: cuda = "13.0"
class Tensor:
    def __init__(self, value): self.value = value
    def __mod__(self, other): return self
    def float(self): return self
    def __add__(self, other): return Tensor(self.value + other)
    def __mul__(self, other): return Tensor(self.value * other)
    def __ne__(self, other): return Tensor(0 if self.value == other.value else 11)
    def sum(self): return self
    def item(self): return self.value
def zeros(count, device): return Tensor(0)
def arange(count, device): return Tensor(7)
def is_rank(name): return os.environ.get(name) == str(chosen["rank"])
class cuda:
    class nccl:
        version = staticmethod(lambda: (2, 27, 5))
    @staticmethod
    def device_count(): return int(os.environ.get("FAKE_GPUS", "2"))
    @staticmethod
    def set_device(rank):
        chosen["rank"] = rank
        if is_rank("FAKE_ERROR"): raise RuntimeError("CUDA error: uncorrectable ECC error encountered")
        if is_rank("FAKE_HANG"): time.sleep(3600)
        if is_rank("FAKE_CHATTER"): print("node0:1:2 [0] NCCL INFO chatter\n" * 20000)
    synchronize = staticmethod(lambda: None)
    mem_get_info = staticmethod(lambda rank: (80 << 30, 80 << 30))
    @staticmethod
    def get_device_properties(rank):
        class properties:
            name = "Pretend GPU"
            uuid = "GPU-%d" % rank
        return properties
`;

const DISTRIBUTED = String.raw`
import time
from . import chosen, is_rank
state = {}
def is_nccl_available(): return True
def init_process_group(backend, rank, world_size, timeout): state.update(backend=backend, world=world_size)
def get_backend(): return state["backend"]
def destroy_process_group(): pass
def all_reduce(tensor):
    time.sleep(0.0005)
    world = state["world"]
    if tensor.value: tensor.value = (tensor.value - chosen["rank"]) * world + world * (world - 1) // 2 + (5 if is_rank("FAKE_WRONG") else 0)
`;

/** The folder to put on PYTHONPATH. The caller removes it. */
export function makeFakeTorch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fake-torch-'));
  mkdirSync(join(folder, 'torch'));
  writeFileSync(join(folder, 'torch', '__init__.py'), TORCH);
  writeFileSync(join(folder, 'torch', 'distributed.py'), DISTRIBUTED);
  return folder;
}
