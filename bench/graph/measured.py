"""Runs a command and prints its CPU seconds, wall seconds and peak memory, children included, as JSON on the last line."""
import ctypes, json, os, resource, subprocess, sys, time

PAGE = os.sysconf("SC_PAGE_SIZE")


def descendants(pid):
    found = [pid]
    for each in found:
        try:
            for task in os.listdir(f"/proc/{each}/task"):
                with open(f"/proc/{each}/task/{task}/children") as children:
                    found += [int(child) for child in children.read().split()]
        except OSError:
            pass
    return found


def resident(pid):
    try:
        with open(f"/proc/{pid}/statm") as statm:
            return int(statm.read().split()[1]) * PAGE
    except (OSError, IndexError):
        return 0


PR_SET_CHILD_SUBREAPER = 36
# What outlives the command is ours to wait for, so that its CPU is counted as well.
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
started = time.monotonic()
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=sys.stderr)
peak = 0
while child.poll() is None:
    peak = max(peak, sum(resident(pid) for pid in descendants(child.pid)))
    time.sleep(0.01)
wall = time.monotonic() - started
try:
    while True:
        os.waitpid(-1, 0)
except ChildProcessError:
    pass
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({
    "status": child.returncode,
    "cpu": usage.ru_utime + usage.ru_stime,
    "wall": wall,
    "peak": max(peak, usage.ru_maxrss * 1024),
}))
