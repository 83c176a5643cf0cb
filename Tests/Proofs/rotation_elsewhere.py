"""Rotations beside a writer that they cannot see: another user's, in another PID namespace.

    rotation_elsewhere.py PROGRAM [COUNT]

Each round starts a writer, a `sqlcipher` shell of the user nobody to whom the file belongs, and rotates
the key as root while it commits; about half of the rotations are killed. The writer keeps its connection when
the file is replaced under it. Afterwards each commit that it was told of is in the file, which exactly
one of the two keys opens, and which is sound.
"""

import collections
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

USER = 65534
KEYS = {"old": "x'" + "11" * 32 + "'", "new": "x'" + "22" * 32 + "'"}
# With a journal in memory nothing stops a writer once a rotation was killed between its last two steps:
# Documentation/Rotation.md says so.
MODES = [
    # journal mode, locking mode, whether the rotation may be killed
    ("DELETE", "NORMAL", True),
    ("TRUNCATE", "NORMAL", True),
    ("PERSIST", "NORMAL", True),
    ("WAL", "NORMAL", True),
    ("DELETE", "EXCLUSIVE", True),
    ("WAL", "EXCLUSIVE", True),
    ("MEMORY", "NORMAL", False),
]


# Whoever runs in one sees no process of the other in /proc.
NAMESPACE = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]


class Writer:
    """A shell that commits numbers, and says which of its commits SQLite has confirmed."""

    def __init__(self, path, key, journal, locking):
        command = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
        self.process = subprocess.Popen(
            NAMESPACE + command + ["sqlcipher", "-batch", path],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.ask(f'PRAGMA key = "{key}"; PRAGMA locking_mode = {locking}; PRAGMA busy_timeout = 200;'
                 f" PRAGMA journal_mode = {journal}; SELECT count(*) FROM t;")

    def ask(self, sql):
        """What the shell prints, before a line that stands for the end."""
        self.process.stdin.write(sql + "\n.print end\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            if line == "end\n":
                return lines
            lines.append(line.rstrip("\n"))
        raise SystemExit(f"the shell ended: {lines}")

    def commit(self, number):
        """Whether a row is there to stay, and what went wrong otherwise."""
        lines = self.ask(f"INSERT INTO t VALUES ({number}, randomblob(300));")
        return not lines, "".join(lines)

    def close(self):
        self.process.stdin.close()
        self.process.stdout.read()
        self.process.wait()


def shell(path, key, sql):
    # A rotation that was killed may still be about to end.
    return subprocess.run(
        ["sqlcipher", "-batch", path], input=f'.timeout 10000\nPRAGMA key = "{key}";\n{sql}\n', text=True,
        capture_output=True, timeout=60)


def opens(path, key):
    return shell(path, key, "SELECT count(*) FROM t;").stdout.count("\n") == 2


def state(path, wanted):
    """The name of the key that opens the file; an error where something is wrong with it."""
    names = [name for name, key in KEYS.items() if opens(path, key)]
    if len(names) != 1:
        raise SystemExit(f"the file opens with {names or 'neither key'}")
    run = shell(path, KEYS[names[0]],
                "PRAGMA cipher_integrity_check;\nPRAGMA integrity_check;\nSELECT id FROM t;")
    lines = run.stdout.split("\n")[:-1]
    if run.stderr or lines[:2] != ["ok", "ok"]:
        raise SystemExit(f"the file is not sound: {run.stderr} {lines[:5]}")
    missing = wanted - set(map(int, lines[2:]))
    if missing:
        raise SystemExit(f"lost commits: {sorted(missing)}")
    return names[0]


def main(program, count):
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        os.chmod(folder, 0o755)
        (folder / "work").mkdir()
        for name, key in KEYS.items():
            (folder / f"{name}.key").write_text(key + "\n")
            os.chmod(folder / f"{name}.key", 0o600)
        rounds(program, count, folder)
    finally:
        shutil.rmtree(folder)


def rounds(program, count, folder):
    path = str(folder / "work" / "app.db")
    told = collections.Counter()
    committed = set()
    number = 0
    shell(path, KEYS["old"], "CREATE TABLE t (id INTEGER PRIMARY KEY, a);"
          " WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3000)"
          " INSERT INTO t SELECT -n, randomblob(300) FROM c;")
    for place in [path, str(folder / "work")]:
        os.chown(place, USER, USER)
    current, duration = "old", 0.1
    for index in range(count):
        journal, locking, may_be_killed = MODES[index % len(MODES)]
        writer = Writer(path, KEYS[current], journal, locking)
        other = "new" if current == "old" else "old"
        start = time.monotonic()
        rotation = subprocess.Popen(
            NAMESPACE + [program, "rotate-key", path, "--key-file", folder / f"{current}.key",
                         "--new-key-file", folder / f"{other}.key"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = start + random.random() * duration * 1.2 if may_be_killed and random.random() < 0.5 else None
        # In some rounds the writer waits until the rotation is over, in others it leaves it some room.
        pause = random.choice([None, 0, 0.02, 0.1])
        after = 0
        while after < 5:
            if end and time.monotonic() > end:
                rotation.kill()
            after += rotation.poll() is not None
            if not after:
                time.sleep(pause or 0.001)
                if pause is None:
                    continue
            number += 1
            done, failure = writer.commit(number)
            if done:
                committed.add(number)
            else:
                told["refused: " + re.sub(r".*error near line \d+: ", "", failure)] += 1
        code = rotation.wait()
        if code == 0:
            duration = max(duration * 0.8, time.monotonic() - start)
        writer.close()
        told[f"{journal} {locking}: rotation ended with {code}"] += 1
        now = state(path, committed)
        if code == 0 and now == current:
            raise SystemExit("a rotation that succeeded did nothing")
        current = now
    for what, times in sorted(told.items()):
        print(f"{times:6} {what}")
    print(f"{count} rounds, {len(committed)} commits of another user in another PID namespace: none lost")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else 300)
