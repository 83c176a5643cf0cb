"""Interrupts commands on repositories, honest and hostile, and measures what they take.

    backup_limits.py PROGRAM KEY_FILE NEW_KEY_FILE DATABASE ROUNDS SECONDS REPOSITORY…

Each command runs once to its end on a copy of each repository, and ROUNDS times until SIGINT or SIGTERM
comes at a random moment. It fails where a command

- ends by a signal other than the one that it was sent before it awaits signals,
- takes more than SECONDS to end after the signal, in time or, for `cpu:SECONDS`, in the time of processors,
- goes on for more than a minute when nobody interrupts it,
- holds more than 256 MB in memory at any time.
"""
import os
import random
import shutil
import signal
import sys
import tempfile
import time

MEMORY = 256
PATIENCE = 60


def commands(key, new_key, database, repository, out):
    """The words of each command, by a name for it."""
    keyed = ["--key-file", key]
    return {
        "list": ["list", repository],
        "status": ["status", repository],
        "verify": ["verify", repository],
        "verify with the key": ["verify", repository, *keyed],
        "restore": ["restore", repository, out],
        "restore with the key": ["restore", repository, out, *keyed],
        "create": ["create", database, "--to", repository, *keyed],
        "create --full": ["create", database, "--to", repository, "--full", *keyed],
        "prune": ["prune", repository, "--keep-last", "1", *keyed],
        "rekey": ["rekey", repository, *keyed, "--new-key-file", new_key],
    }


def processor_time(pid):
    """What a process has taken of the processors, in seconds."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Run:
    """A run of the program, which gets a signal after some time, if it has not ended until then."""

    def __init__(self, words, after=PATIENCE, number=signal.SIGKILL):
        start = time.monotonic()
        # Of a child that was not forked, the system would count the memory of this process.
        self.pid = os.fork()
        if self.pid == 0:
            null = os.open("/dev/null", os.O_RDWR)
            for descriptor in range(3):
                os.dup2(null, descriptor)
            os.execv(words[0], words)
        self.was_sent = not self.has_ended_by(start + after)
        sent, taken = time.monotonic(), 0
        if self.was_sent:
            taken = processor_time(self.pid)
            os.kill(self.pid, number)
        has_ended = self.has_ended_by(sent + PATIENCE)
        if not has_ended:
            os.kill(self.pid, signal.SIGKILL)
        _, status, usage = os.wait4(self.pid, 0)
        self.seconds = sent - start
        self.latency = time.monotonic() - sent if self.was_sent else 0
        self.cpu = max(0, usage.ru_utime + usage.ru_stime - taken) if self.was_sent else 0
        self.megabytes = usage.ru_maxrss / 1024
        self.signal = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
        self.code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else None

    def has_ended_by(self, moment):
        """Waits for the end of the process, which is left to be asked for its status."""
        while True:
            if os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                return True
            if time.monotonic() > moment:
                return False
            time.sleep(0.001)


class Limits:
    def __init__(self, program, key, new_key, database, limit):
        self.program, self.key, self.new_key, self.database = program, key, new_key, database
        self.counts_cpu = limit.startswith("cpu:")
        self.limit = float(limit.removeprefix("cpu:"))
        self.worst, self.largest, self.sent, self.runs = (0, ""), (0, ""), 0, 0

    def check(self, run, what, number=None):
        latency = run.cpu if self.counts_cpu else run.latency
        self.runs += 1
        self.sent += run.was_sent
        self.worst = max(self.worst, (latency, what))
        self.largest = max(self.largest, (run.megabytes, what))
        # Before it awaits signals, one ends it at once.
        if run.signal is not None and run.signal != number:
            sys.exit(f"{what}: ended by signal {run.signal} after {run.seconds:.1f} s")
        if number and latency > self.limit:
            sys.exit(f"{what}: {latency:.2f} s from the signal to the end")
        if run.megabytes > MEMORY:
            sys.exit(f"{what}: {run.megabytes:.0f} MB of memory")

    def rounds(self, repository, count):
        names = list(commands("", "", "", "", ""))
        for name in names:
            seconds = None
            for number in range(count + 1):
                with tempfile.TemporaryDirectory() as folder:
                    copy = os.path.join(folder, "copy")
                    shutil.copytree(repository, copy)
                    words = commands(self.key, self.new_key, self.database, copy,
                                     os.path.join(folder, "out.db"))[name]
                    words = [self.program, "backup", *words, "--state", os.path.join(folder, "state")]
                    what = f"{name} on {repository}"
                    if seconds is None:
                        run = Run(words)
                        self.check(run, what)
                        seconds = run.seconds
                        continue
                    kind = random.choice([signal.SIGINT, signal.SIGTERM])
                    self.check(Run(words, random.uniform(0, seconds), kind), what, kind)


def main(program, key, new_key, database, count, limit, *repositories):
    limits = Limits(program, key, new_key, database, limit)
    for repository in repositories:
        limits.rounds(repository, int(count))
    kind = "of processor time " if limits.counts_cpu else ""
    print(f"{limits.runs} runs on {len(repositories)} repositories, {limits.sent} interrupted: at most "
          f"{limits.worst[0]:.2f} s {kind}from the signal to the end ({limits.worst[1]}), "
          f"{limits.largest[0]:.0f} MB ({limits.largest[1]})")


if __name__ == "__main__":
    if len(sys.argv) < 8:
        sys.exit(__doc__)
    main(*sys.argv[1:])
