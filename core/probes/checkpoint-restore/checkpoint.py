"""Writes a checkpoint of seeded data, reads it back in another process, and compares. One JSON line a phase on standard output.
Arguments: directory, bytes, seed. Removes only the folder that it made itself."""
import hashlib, json, os, random, shutil, signal, subprocess, sys, tempfile, time

CHUNK = 1 << 20


def say(phase, **values):
    print("gpu-acceptance-checkpoint " + json.dumps(dict(values, phase=phase)), flush=True)


def write(path, size, seed):
    source = random.Random(seed)
    digest = hashlib.sha256()
    seconds = 0.0
    with open(path, "wb", buffering=0) as file:
        left = size
        while left > 0:
            data = source.randbytes(min(CHUNK, left))
            digest.update(data)
            # Making and hashing the data is this program's work, not the storage's: it is not timed.
            began = time.perf_counter()
            view = memoryview(data)
            while view:
                view = view[file.write(view):]
            seconds += time.perf_counter() - began
            left -= len(data)
        began = time.perf_counter()
        os.fsync(file.fileno())
        seconds += time.perf_counter() - began
        # The restore must come from the storage, not from memory.
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    say("write", bytes=size, seconds=seconds, sha256=digest.hexdigest())


RESTORE = """
import hashlib, json, sys, time
digest, size, seconds = hashlib.sha256(), 0, 0.0
with open(sys.argv[1], "rb", buffering=0) as file:
    while True:
        began = time.perf_counter()
        data = file.read(1 << 20)
        seconds += time.perf_counter() - began
        if not data:
            break
        digest.update(data)
        size += len(data)
print("gpu-acceptance-checkpoint " + json.dumps({"phase": "restore", "bytes": size, "seconds": seconds, "sha256": digest.hexdigest()}), flush=True)
"""


def main():
    directory, size, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    if not os.path.isdir(directory):
        say("error", message="The directory %s does not exist." % directory)
        return 2
    free = shutil.disk_usage(directory).free
    if free < size * 1.1:
        say("error", message="The directory %s has %d bytes free; %d are needed." % (directory, free, size))
        return 2
    folder = tempfile.mkdtemp(prefix="gpu-acceptance-", dir=directory)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        path = os.path.join(folder, "checkpoint")
        write(path, size, seed)
        # A second process: nothing of the first one's memory can help.
        if subprocess.run([sys.executable, "-c", RESTORE, path]).returncode != 0:
            say("error", message="The restore ended with an error.")
            return 2
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    say("end")
    return 0


try:
    sys.exit(main())
except OSError as error:
    say("error", message=str(error))
    sys.exit(2)
