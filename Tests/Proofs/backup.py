"""The proofs of Tests/Proofs/backup: every state is compared with what was recorded when it was made."""
import datetime
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import backup_guide
import backup_limits

STRONGROOM = os.environ["STRONGROOM"]
DECODER = os.path.join(os.path.dirname(__file__), "..", "Decoder", "restore.py")
KEY = "x'" + "5a" * 32 + "'"


class Place:
    """A folder with a database, its key and a repository."""

    def __init__(self, folder):
        self.folder = folder
        self.clock = []
        self.db, self.repo, self.key = (self.path(n) for n in ("app.db", "repo", "key"))
        with open(os.open(self.key, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
            file.write(KEY + "\n")
        # What the host remembers must not be in the way of anything that happens here.
        os.environ["STRONGROOM_STATE"] = self.path("state")

    def path(self, name):
        return os.path.join(self.folder, name)

    def sql(self, text, path=None):
        result = subprocess.run(
            ["sqlcipher", "-batch", "-bail", "-init", "/dev/null", path or self.db],
            input=f'.output /dev/null\nPRAGMA key = "{KEY}";\nPRAGMA busy_timeout = 60000;\n'
            f".output stdout\nPRAGMA temp_store = MEMORY;\n{text}\n;",
            text=True, capture_output=True)
        if result.returncode != 0 or result.stderr:
            raise SystemExit(f"sqlcipher: {result.stderr}")
        return result.stdout

    def backup(self, *words, check=True):
        return subprocess.run(
            [*self.clock, STRONGROOM, "backup", *words], check=check, capture_output=True,
            text=True)

    def with_key(self, *words, check=True):
        return self.backup(*words, "--key-file", self.key, check=check)

    def create(self, *words):
        return self.with_key("create", self.db, "--to", self.repo, *words)

    def numbers(self):
        lines = self.backup("list", self.repo).stdout.splitlines()[2:]
        return [int(line.split()[0]) for line in lines]

    def times(self):
        entries = json.loads(self.backup("list", self.repo, "--json").stdout)
        return {e["number"]: datetime.datetime.fromisoformat(e["date"]) for e in entries}

    def restore(self, number, keyed=False):
        out = self.path("out.db")
        words = ["restore", self.repo, str(number), out, "--force"]
        (self.with_key if keyed else self.backup)(*words)
        return digest(out)


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def timed(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def fill(place, megabytes, journal="WAL"):
    rows = int(megabytes * 1e6 / 1369)  # three to a page
    place.sql(f"""
        PRAGMA journal_mode = {journal};
        CREATE TABLE t (id INTEGER PRIMARY KEY, a BLOB, n INTEGER DEFAULT 0);
        BEGIN;
        WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {rows})
          INSERT INTO t (a) SELECT randomblob(1000) FROM c;
        COMMIT;
        PRAGMA wal_checkpoint(TRUNCATE);""")
    return rows


def median_of(count, work, before=lambda: None):
    return medians_of(count, (work, before))[0]


def medians_of(count, *pairs):
    """In turns, so that what else the machine does meets all of them."""
    times = [[] for _ in pairs]
    for _ in range(count):
        for index, (work, before) in enumerate(pairs):
            before()
            times[index].append(timed(work)[0])
    return [sorted(t)[count // 2] for t in times]


class Others:
    """What share of the machine's processors the work of others takes, where the system tells."""

    def __init__(self):
        self.start = self.now()

    def now(self):
        own = os.times()
        try:
            with open("/proc/stat") as file:
                ticks = [int(n) / os.sysconf("SC_CLK_TCK") for n in file.readline().split()[1:9]]
        except OSError:
            return None
        idle = ticks[3] + ticks[4]
        return sum(ticks), sum(ticks) - idle - sum(own[:4])

    def __str__(self):
        if self.start is None:
            return "unknown"
        (all_before, before), (all_now, now) = self.start, self.now()
        return f"{max(0, now - before) / (all_now - all_before):.0%}"


def beside(seconds, other, name, aim):
    ratio = seconds / other
    return f"{seconds:.3f} s: {ratio:.2f} x {name} (aim {aim}{'' if ratio <= aim else ', missed'})"


def memory(*words):
    """The greatest resident size of a run, in MB."""
    pid = os.fork()
    if pid == 0:
        null = os.open("/dev/null", os.O_WRONLY)
        os.dup2(null, 1)
        os.execv(STRONGROOM, [STRONGROOM, "backup", *words])
    _, status, usage = os.wait4(pid, 0)
    assert status == 0
    return usage.ru_maxrss / 1024


def figures(place, megabytes=124):
    rows = fill(place, float(megabytes))
    size = os.path.getsize(place.db)
    print(f"database: {size / 1e6:.1f} MB, {size // 4096} pages, raw key, WAL")
    with open(place.db, "rb") as file:
        while file.read(1 << 20):
            pass

    def copy():
        subprocess.run(["cp", place.db, place.path("copy.db")], check=True)
        descriptor = os.open(place.path("copy.db"), os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)

    def fresh(*names):
        for name in names:
            path = place.path(name)
            shutil.rmtree(path) if os.path.isdir(path) else os.path.exists(path) and os.remove(path)
        os.sync()

    def init():
        fresh("repo")
        place.backup("init", place.repo)

    dd = ["dd", f"if={place.db}", "of=/dev/null", "bs=1M"]

    def read_once():
        subprocess.run(dd, check=True, capture_output=True)
    others = Others()
    read = median_of(5, read_once)
    sha = median_of(5, lambda: subprocess.run(
        ["sha256sum", place.db], check=True, capture_output=True))
    cp, full, quick = medians_of(
        7, (copy, lambda: fresh("copy.db")), (place.create, init),
        (lambda: place.create("--no-authenticate"), init))
    print(f"meanwhile the work of others took {others} of {os.cpu_count()} processors")
    print(f"cp and fsync {cp:.3f} s; read once {read:.3f} s; sha256sum {sha:.3f} s (all warm)")
    print(f"first backup {beside(full, cp, 'cp', 1.5)}")
    print(f"first backup --no-authenticate {beside(quick, cp, 'cp', 1.5)}")
    place.with_key("prune", place.repo, "--keep-last", "1")

    def nine():
        ids = ", ".join(str(rows // 10 * i + random.randrange(rows // 20)) for i in range(1, 10))
        place.sql(f"UPDATE t SET n = n + 1 WHERE id IN ({ids}); PRAGMA wal_checkpoint(TRUNCATE);")
    times, sizes = [], []
    for _ in range(7):
        nine()
        before = tree_size(place.repo)
        times.append(timed(place.create)[0])
        sizes.append(tree_size(place.repo) - before)
    increment = sorted(times)[3]
    print(f"increment after nine scattered updates: {max(sizes)} bytes at most, {increment:.3f} s: "
          f"{increment / read:.2f} x reading warm")
    others = Others()
    cold_read, cold = medians_of(
        5, (read_once, lambda: drop_caches(place.db)),
        (place.create, lambda: (nine(), drop_caches(place.db))))
    print(f"cold: read once {cold_read:.3f} s; increment {beside(cold, cold_read, 'that', 1.5)}; "
          f"others took {others}")
    out = place.path("out.db")
    cp, bare, keyed = medians_of(
        5, (copy, lambda: fresh("copy.db")),
        (lambda: place.backup("restore", place.repo, out), lambda: fresh("out.db")),
        (lambda: place.with_key("restore", place.repo, out), lambda: fresh("out.db")))
    print(f"restore {beside(bare, cp, 'cp', 2)}; with the key, and SQLite's checks, "
          f"{beside(keyed, cp, 'cp', 2)}")
    assert digest(out) == digest(place.db)
    print(f"verify without a key {timed(lambda: place.backup('verify', place.repo))[0]:.3f} s, "
          f"with it {timed(lambda: place.with_key('verify', place.repo))[0]:.3f} s")
    nine()
    words = ("--key-file", place.key)
    new = place.path("new.key")
    with open(os.open(new, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
        file.write(KEY.replace("5a", "c3") + "\n")
    other = place.path("other")
    place.backup("init", other)
    # Last is what makes the key one that another has replaced.
    runs = {"create": ["create", place.db, "--to", place.repo, *words],
            "restore": ["restore", place.repo, out, "--force"],
            "restore with the key": ["restore", place.repo, out, "--force", *words],
            "verify": ["verify", place.repo, *words],
            "prune": ["prune", place.repo, "--keep-last", "1", *words],
            "full create": ["create", place.db, "--to", other, *words],
            "rekey": ["rekey", place.repo, *words, "--new-key-file", new]}
    print("memory (aim 64 MB): " + ", ".join(f"{n} {memory(*r):.0f} MB" for n, r in runs.items()))


def drop_caches(path):
    os.sync()
    descriptor = os.open(path, os.O_RDONLY)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def tree_size(path):
    return sum(os.path.getsize(os.path.join(folder, name))
               for folder, _, names in os.walk(path) for name in names)


def kill(place, count=300):
    rows = fill(place, 4)
    place.backup("init", place.repo)
    place.create()
    out = place.path("out.db")
    states, done, died = {1: place.restore(1)}, {"create": 0, "prune": 0, "restore": 0}, 0
    horizon = dict.fromkeys(done, 0.3)
    while died < int(count):
        place.sql(f"UPDATE t SET n = n + 1 WHERE id % {random.randrange(20, 400)} = 0;")
        what = random.choice(list(done))
        words = {"create": ["create", place.db, "--to", place.repo, "--key-file", place.key],
                 "prune": ["prune", place.repo, "--keep-last", "4", "--key-file", place.key],
                 "restore": ["restore", place.repo, out, "--force", "--key-file", place.key]}[what]
        before, source = set(states), digest(place.db)
        process = subprocess.Popen([STRONGROOM, "backup", *words], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            process.wait(random.uniform(0, horizon[what]))
            horizon[what] *= 0.9
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            died += 1
            horizon[what] *= 1.03
        done[what] += 1
        assert digest(place.db) == source, "the database was touched"
        # All that is listed verifies and restores to what it was; nothing is lost but by prune.
        place.backup("verify", place.repo)
        listed = set(place.numbers())
        assert what == "prune" or before <= listed, "a backup is lost"
        states = {n: states.get(n) for n in listed}
        for n in listed:
            state = place.restore(n)
            assert states[n] in (None, state), "a backup is another one now"
            states[n] = state
        assert "ok" in place.sql("PRAGMA integrity_check;", out)
    print(f"{sum(done.values())} runs {done}, {died} killed; {len(states)} backups at the end: all "
          "verified and restored after each")


def damage(place, count=2000):
    fill(place, 1.5)
    place.backup("init", place.repo)
    states = {}
    for number in range(1, 5):
        place.sql(f"UPDATE t SET n = {number} WHERE id % 90 = {number};")
        place.create()
        states[number] = place.restore(number)
    files = {}
    for folder, _, names in os.walk(place.repo):
        for name in names:
            if not name.startswith("lock"):
                with open(os.path.join(folder, name), "rb") as file:
                    files[os.path.join(folder, name)] = file.read()
    # Damage is to be found in the repository, not in what is remembered of it.
    os.environ["STRONGROOM_STATE"] = "none"
    kinds = dict.fromkeys(("flip", "cut", "delete", "rename", "swap"), 0)
    refused = right = 0
    for number in range(int(count)):
        kind = random.choice(["flip"] * 6 + list(kinds))
        path = random.choice(list(files))
        touched = [path]
        data = files[path]
        if kind == "flip":
            place_ = random.choice([random.randrange(len(data)),
                                    random.randrange(max(0, len(data) - 2000), len(data))])
            data = bytearray(data)
            data[place_] ^= 1 << random.randrange(8)
        if kind in ("flip", "cut"):
            with open(path, "wb") as file:
                file.write(data if kind == "flip" else data[:random.randrange(len(data))])
        elif kind == "delete":
            os.remove(path)
        elif kind == "rename":
            os.rename(path, path[:-1])
        else:
            other = random.choice([f for f in files if f != path])
            touched.append(other)
            for one, two in ((path, other), (other, path)):
                with open(one, "wb") as file:
                    file.write(files[two])
        kinds[kind] += 1
        found = place.backup("verify", place.repo, check=False).returncode != 0
        assert found, f"not found: {kind} {path}"
        n = random.randint(1, 4)
        out = place.path("out.db")
        if place.backup("restore", place.repo, str(n), out, "--force", check=False).returncode:
            refused += 1
        else:
            right += 1
            assert digest(out) == states[n], f"a wrong restore: {kind} {path}"
        if kind == "rename":
            os.remove(path[:-1])
        for path in touched:
            with open(path, "wb") as file:
                file.write(files[path])
    place.backup("verify", place.repo)
    print(f"{count} changes {kinds}: all found without a key; of as many restores {refused} were "
          f"refused, {right} right, none wrong")


def day_of(place, day):
    """Puts the clock of the backups forward; whether that can be done here."""
    if shutil.which("faketime"):
        place.clock = ["faketime", "--exclude-monotonic", "-f", f"+{day}d"]
    return bool(place.clock)


POLICY = {"last": 7, "daily": 14, "weekly": 8, "monthly": 12}
PERIOD = {"last": lambda t: t, "daily": lambda t: t.date(), "weekly": lambda t: t.isocalendar()[:2],
          "monthly": lambda t: (t.year, t.month)}


def kept_by_policy(times):
    """The newest of each of the last periods; times by number."""
    kept = set()
    for rule, count in POLICY.items():
        newest = {PERIOD[rule](t): n for n, t in sorted(times.items(), key=lambda i: i[1])}
        kept |= {newest[period] for period in sorted(newest)[-count:]}
    return kept


def year(place, days=400, points=50):
    """A backup a day, as the clock of the backups has it, and the policy of the guide once a week."""
    fill(place, 8)
    place.backup("init", place.repo)
    if not day_of(place, 0):
        print("faketime is not here: all backups are of today, and pruned by their number alone")
    states, times, prunes, sizes, spans, removed = {}, [], [], [], [], 0
    chosen = set(random.sample(range(1, int(days) + 1), int(points)))
    policy = [w for rule, count in POLICY.items() for w in (f"--keep-{rule}", str(count))]
    for day in range(1, int(days) + 1):
        day_of(place, day)
        changes = [f"UPDATE t SET n = n + 1 WHERE id % {random.randrange(50, 500)} = 1;",
                   "INSERT INTO t (a) SELECT randomblob(1000) FROM t LIMIT 40;",
                   f"DELETE FROM t WHERE id % {random.randrange(300, 900)} = 2;"]
        place.sql("BEGIN;" + "".join(random.sample(changes, 2)) + "COMMIT;"
                  if day % 90 else "VACUUM;")
        times.append(timed(place.create)[0])
        states[day] = place.restore(day)
        if day % 7 == 0:
            before = place.times()
            prunes.append(timed(lambda: place.with_key("prune", place.repo, *policy))[0])
            assert set(place.numbers()) == kept_by_policy(before), "the policy keeps others"
            removed += len(before) - len(place.numbers())
        if day in chosen:
            number = random.choice(place.numbers())
            seconds, state = timed(lambda: place.restore(number))
            assert state == states[number], f"backup {number} is another one now"
            spans.append(seconds)
        sizes.append(tree_size(place.repo))
    place.backup("verify", place.repo)
    kept = place.numbers()
    for number in kept:
        assert place.restore(number) == states[number], f"backup {number} is another one now"
    subprocess.run(["python3", DECODER, place.repo, str(kept[0]), place.path("py.db")], check=True)
    assert digest(place.path("py.db")) == states[kept[0]]
    size = os.path.getsize(place.path("out.db"))
    print(f"{days} backups of a database that grew to {size / 1e6:.1f} MB; {removed} pruned, "
          f"{len(kept)} kept in {sizes[-1] / 1e6:.1f} MB ({max(sizes) / 1e6:.1f} MB at most)")
    for name, values in (("create", times), ("prune", prunes), ("restore", spans)):
        values.sort()
        print(f"{name}: median {values[len(values) // 2]:.3f} s, worst {values[-1]:.3f} s")
    print(f"{len(spans)} restored at as many random days, and all that are kept at the end: each "
          "what was recorded when it was made")


def writers(place, seconds=60):
    fill(place, 4)
    place.sql("CREATE TABLE account (id INTEGER PRIMARY KEY, amount INTEGER, pad TEXT);"
              "INSERT INTO account SELECT id, 1000, hex(randomblob(400)) FROM t WHERE id <= 500;"
              "CREATE TABLE entry (id INTEGER PRIMARY KEY, at INTEGER);")
    place.backup("init", place.repo)
    processes = []
    for mode in ("TRUNCATE", "RESTART"):
        script = place.path(mode + ".sql")
        with open(script, "w") as file:
            file.write(f'.output /dev/null\nPRAGMA key = "{KEY}";\nPRAGMA busy_timeout = 60000;\n')
            for n in range(400_000):
                file.write(
                    f"BEGIN IMMEDIATE; UPDATE account SET amount = amount - 1 WHERE id = "
                    f"{n * 7 % 500 + 1}; UPDATE account SET amount = amount + 1 WHERE id = "
                    f"{n * 31 % 500 + 1}; INSERT INTO entry (at) VALUES ({n}); COMMIT;\n")
                if n % 20 == 0:
                    file.write(f"PRAGMA wal_checkpoint({mode});\n")
        processes.append(subprocess.Popen(
            ["sqlcipher", "-batch", "-init", "/dev/null", place.db, f".read {script}"]))
    end, counts, times = time.time() + float(seconds), [], []
    while time.time() < end:
        times.append(timed(place.create)[0])
        place.restore(place.numbers()[-1], keyed=True)
        total, entries, whole = place.sql(
            "SELECT sum(amount) FROM account; SELECT count(*) FROM entry; "
            "PRAGMA integrity_check;", place.path("out.db")).split()
        assert (total, whole) == ("500000", "ok"), (total, whole)
        counts.append(int(entries))
    alive = sum(p.poll() is None for p in processes)
    for process in processes:
        process.kill()
        process.wait()
    assert counts == sorted(counts)
    times.sort()
    print(f"{len(counts)} backups in {seconds} s beside 2 writers ({alive} to the end) that "
          f"committed {counts[-1]} times: every one consistent; create took "
          f"{times[len(times) // 2]:.3f} s, {times[-1]:.3f} s at most")


def stall(place, seconds=10):
    """One writer that commits about every two milliseconds; what it notes shows when it waited."""
    fill(place, 60)
    place.sql("CREATE TABLE entry (id INTEGER PRIMARY KEY, at INTEGER);")
    place.backup("init", place.repo)
    place.create()
    # A shell writes each line as it comes: the pause is made here.
    shell = subprocess.Popen(["sqlcipher", "-batch", "-init", "/dev/null", place.db], text=True,
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=1)

    def ask(text):
        shell.stdin.write(text + "\nSELECT 'done';\n")
        shell.stdin.flush()
        while shell.stdout.readline().strip() != "done":
            pass

    ask(f'PRAGMA key = "{KEY}"; PRAGMA busy_timeout = 60000;')
    for kind in ("alone", "beside backups"):
        waits, backups, runner = [], 0, None
        end = time.time() + float(seconds)
        while time.time() < end:
            if kind != "alone" and (runner is None or runner.poll() is not None):
                runner = subprocess.Popen(
                    [STRONGROOM, "backup", "create", place.db, "--to", place.repo, "--key-file",
                     place.key], stdout=subprocess.DEVNULL)
                backups += 1
            waits.append(timed(lambda: ask(
                f"UPDATE t SET n = n + 1 WHERE id = {random.randrange(1, 50000)};"))[0] * 1000)
            time.sleep(0.002)
        if runner:
            runner.wait()
        waits.sort()
        print(f"{kind}: {len(waits)} commits, {backups} backups; a commit takes "
              f"{waits[len(waits) // 2]:.2f} ms, 99.9 % {waits[int(len(waits) * 0.999)]:.2f} ms, "
              f"at most {waits[-1]:.2f} ms (aim: 10 ms)")
    shell.stdin.close()
    shell.wait()


class Disk:
    """A small file system whose free room is set by a file that takes the rest."""

    def __init__(self, folder, size):
        self.folder, self.ballast = folder, os.path.join(folder, "ballast")
        os.mkdir(folder)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)

    def leave(self, pages):
        self.clear()
        taken = os.statvfs(self.folder).f_bavail - pages
        with open(self.ballast, "wb") as file:
            if taken > 0:
                os.posix_fallocate(file.fileno(), 0, taken * 4096)

    def clear(self):
        if os.path.exists(self.ballast):
            os.remove(self.ballast)

    def unmount(self):
        subprocess.run(["umount", self.folder], check=True)


def full(place, count=300):
    """A disk that is full at COUNT random points of create, prune and restore, to the page."""
    fill(place, 1.2)
    disk = Disk(place.path("disk"), "24m")
    try:
        met, going_on = fill_disk(place, disk, int(count))
        print(f"{sum(met.values())} times full {met}: refused, or said what room is missing; all "
              f"verified and restored each time, and went on with room; {going_on} times enough")
    finally:
        disk.unmount()


def fill_disk(place, disk, count):
    place.repo = os.path.join(disk.folder, "repo")
    out, beside = os.path.join(disk.folder, "restored.db"), os.path.join(disk.folder, "app.db")
    place.backup("init", place.repo)
    place.create()
    states, going_on = {1: place.restore(1)}, 0
    met = dict.fromkeys(("create", "prune", "restore"), 0)
    horizon = dict.fromkeys(met, 400)
    while sum(met.values()) < count:
        place.sql(f"UPDATE t SET n = n + 1 WHERE id % {random.choice([1, 3, 9, 40, 200])} = 0;")
        # Also of a database on the same disk, whose log and index want room too.
        source = random.choice([place.db, place.db, beside])
        shutil.copyfile(place.db, beside)
        what = random.choice(list(met))
        if what == "prune":
            place.create()
            states[place.numbers()[-1]] = place.restore(place.numbers()[-1])
        words = {"create": ["create", source, "--to", place.repo, "--key-file", place.key],
                 "prune": ["prune", place.repo, "--keep-last", "3", "--key-file", place.key],
                 "restore": ["restore", place.repo, out, "--force"]
                 + random.choice([[], ["--key-file", place.key]])}[what]
        before, original = place.numbers(), digest(place.db)
        restored = digest(out) if os.path.exists(out) else None
        disk.leave(random.randrange(int(horizon[what]) + 1))
        result = place.backup(*words, check=False)
        lacks = result.returncode != 0 or "prune again" in result.stderr
        met[what] += lacks
        going_on += not lacks
        horizon[what] = max(4, horizon[what] * (1.03 if lacks else 0.9))
        if result.returncode:
            assert "no space left" in result.stderr, (words, result.stderr)
            if what == "restore":
                assert (digest(out) if os.path.exists(out) else None) == restored
                assert not [n for n in os.listdir(disk.folder) if n.startswith(".")]
        assert digest(place.db) == original == digest(beside), "the database was touched"
        after = place.numbers()
        assert lacks or what != "create" or len(after) == len(before) + 1
        assert after == before or (what == "create" and not lacks) or (
            what == "prune" and after == before[-3:]), (what, before, after)
        place.backup("verify", place.repo)
        for n in after:
            state = place.restore(n)
            assert states.setdefault(n, state) == state, "a backup is another one now"
        states = {n: states[n] for n in after}
        disk.clear()
        assert "prune again" not in place.backup(*words).stderr
        place.with_key("prune", place.repo, "--keep-last", "5")
        states = {n: states.get(n) or place.restore(n) for n in place.numbers()}
    return met, going_on


def limits(place, count=20):
    """Signals to commands on a repository of some size."""
    rows = fill(place, 120)
    place.backup("init", place.repo)
    for number in range(1, 4):
        place.sql(f"UPDATE t SET n = {number} WHERE id % 7 = {number}; PRAGMA wal_checkpoint(TRUNCATE);")
        place.create()
    place.sql(f"UPDATE t SET n = 9 WHERE id > {rows // 2}; PRAGMA wal_checkpoint(TRUNCATE);")
    new = place.path("new.key")
    with open(os.open(new, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
        file.write(KEY.replace("5a", "c3") + "\n")
    backup_limits.main(STRONGROOM, place.key, new, place.db, count, "0.5", place.repo)


def guide(place):
    backup_guide.run(place.folder, STRONGROOM)


if __name__ == "__main__":
    seed = int(os.environ.get("SEED", random.randrange(10 ** 6)))
    random.seed(seed)
    print(f"seed {seed}")
    works = {w.__name__: w for w in (figures, kill, damage, year, writers, stall, full, limits, guide)}
    if len(sys.argv) < 2 or sys.argv[1] not in works:
        sys.exit(f"usage: Tests/Proofs/backup {'|'.join(works)} [NUMBER]")
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        works[sys.argv[1]](Place(folder), *sys.argv[2:])
