"""Makes files in every state that `strongroom doctor` has to tell apart, with the `sqlcipher` shell.

What is expected of each follows from how it was made, not from what doctor says. A case is a name, a
path, the options for doctor, the verdicts that are right, and words that the advice or the notes hold.
"""
import os
import random
import shutil
import sqlite3
import subprocess
from dataclasses import dataclass, field

KEY, OTHER = "x'" + "5eed" * 16 + "'", "x'" + "0ddba11f" * 8 + "'"
SALT = "0a" * 16
PHRASE = "correct horse"
ROWS = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {0}) "
TABLE = "CREATE TABLE t(id INTEGER PRIMARY KEY, a); "
FILL = ROWS + "INSERT INTO t(a) SELECT hex(randomblob(300)) FROM c; "


@dataclass
class Case:
    name: str
    path: str
    options: list
    verdicts: tuple
    words: list = field(default_factory=list)
    pages: list = None


class Corpus:
    def __init__(self, folder):
        self.folder, self.cases, self.random = folder, [], random.Random(4711)
        self.keys = {}
        for name, key in (("key", KEY), ("other", OTHER), ("phrase", PHRASE),
                          ("header", KEY[:-1] + SALT + "'")):
            self.keys[name] = os.path.join(folder, name)
            with open(self.keys[name], "w") as file:
                file.write(key + "\n")
            os.chmod(self.keys[name], 0o600)

    def add(self, name, path, verdicts, *words, key="key", options=(), pages=None):
        given = ["--key-file", self.keys[key]] if key else []
        verdicts = (verdicts,) if isinstance(verdicts, str) else verdicts
        self.cases.append(Case(name, path, given + list(options), verdicts, list(words), pages))

    def path(self, name):
        folder = os.path.join(self.folder, str(len(self.cases)) + " " + name.replace("/", " "))
        os.makedirs(folder, exist_ok=True)
        return os.path.join(folder, "app.db")

    def shell(self, path, key, settings, sql):
        lines = [".output /dev/null", f'PRAGMA key = "{key}";' if key else "",
                 *(f"PRAGMA {setting};" for setting in settings), ".output stdout", sql]
        subprocess.run(["sqlcipher", "-batch", "-bail", "-init", "/dev/null", path],
                       input="\n".join(lines), text=True, check=True, capture_output=True)
        return path

    def make(self, name, key=KEY, settings=(), rows=60, sql=""):
        path = self.path(name)
        return self.shell(path, key, settings, TABLE + FILL.format(rows) + sql)

    def log(self, name, settings=(), key=KEY, start=""):
        """A database with a log of two transactions, as a process leaves it that was killed."""
        path = self.path(name)
        work = path + ".work"
        self.shell(work, key, settings, TABLE + FILL.format(40) + start + "PRAGMA journal_mode = WAL; "
                   + FILL.format(20) + FILL.format(10)
                   + f"\n.system cp '{work}' '{path}' && cp '{work}-wal' '{path}-wal'\n")
        return path

    def journal(self, name, settings=(), key=KEY):
        """A database in the middle of a transaction, with the journal that undoes it."""
        path = self.path(name)
        work = path + ".work"
        self.shell(work, key, settings, TABLE + FILL.format(200) + "PRAGMA cache_size = 5; BEGIN; "
                   + "UPDATE t SET a = hex(randomblob(300));"
                   + f"\n.system cp '{work}' '{path}' && cp '{work}-journal' '{path}-journal'\n")
        return path

    def bytes(self, count):
        return self.random.randbytes(count)


def change(path, edit):
    with open(path, "rb") as file:
        content = bytearray(file.read())
    edited = edit(content)
    content = content if edited is None else edited
    with open(path, "wb") as file:
        file.write(content)


def put(offset, content):
    def edit(old):
        old[offset:offset + len(content)] = content
    return edit


def flip(offset):
    def edit(old):
        old[offset] ^= 1
    return edit


def versions(c):
    c.add("version 4", c.make("v4"), "sound")
    c.add("version 4, passphrase", c.make("v4 phrase", PHRASE), "sound", key="phrase")
    for version in (1, 2, 3):
        for key, name in ((KEY, "key"), (PHRASE, "phrase")):
            path = c.make(f"v{version} {name}", key, [f"cipher_compatibility = {version}"])
            words = ["rotate-key", "--new-compatibility 4"]
            words += ["if it was created without HMACs"] if version == 1 else ["every command finds"]
            c.add(f"version {version}, {name}", path, "otherSettings", *words, key=name)
    beta = "cipher_compatibility = 2"
    for label, settings, word in (
            ("page numbers", [beta, "cipher_hmac_pgno = be"], "rotate-key"),
            ("mask", [beta, "cipher_hmac_salt_mask = \"x'00'\"", "fast_kdf_iter = 4000"], "salvage"),
            ("both", [beta, "cipher_hmac_pgno = be", "cipher_hmac_salt_mask = \"x'00'\"",
                      "fast_kdf_iter = 4000"], "salvage")):
        for key, name in ((KEY, "key"), (PHRASE, "phrase")):
            c.add(f"2.0 beta {label}, {name}", c.make(f"beta {label} {name}", key, settings),
                  "otherSettings", word, key=name)


def settings(c):
    for size in (1024, 2048, 4096, 8192, 16384, 32768, 65536):
        for hmac in ("SHA1", "SHA256", "SHA512", None):
            pragmas = [f"cipher_page_size = {size}"]
            pragmas += [f"cipher_hmac_algorithm = HMAC_{hmac}"] if hmac else ["cipher_use_hmac = OFF"]
            usual = size == 4096 and hmac == "SHA512"
            words = [] if usual else ["--new-compatibility 4"] + ([] if hmac else ["--hmac none"])
            c.add(f"pages of {size}, {hmac}", c.make(f"{size} {hmac}", KEY, pragmas),
                  "sound" if usual else "otherSettings", *words)
    for hash, iterations, options in (
            ("SHA1", 4000, 0), ("SHA1", 64000, 0), ("SHA256", 64000, 0), ("SHA256", 256000, 0),
            ("SHA512", 4000, 0), ("SHA512", 1, 0), ("SHA512", 1000, 0), ("SHA512", 100000, 0),
            ("SHA512", 12345, 1), ("SHA1", 12345, 1), ("SHA256", 777, 1)):
        path = c.make(f"kdf {hash} {iterations}", PHRASE,
                      [f"cipher_kdf_algorithm = PBKDF2_HMAC_{hash}", f"kdf_iter = {iterations}"])
        name = f"{iterations} iterations of {hash}"
        given = ["--kdf-iterations", str(iterations)]
        if options:
            c.add(name + ", not named", path, "wrongKey", "--kdf-iterations", key="phrase")
        if options and hash == "SHA512":
            c.add(name, path, "sound", key="phrase", options=given)
        elif options:
            c.add(name, path, "otherSettings", "--kdf-iterations", key="phrase", options=given)
        else:
            usual = iterations in (4000, 64000, 256000)
            word = "every command finds" if usual else f"--kdf-iterations {iterations}"
            c.add(name, path, "otherSettings", word, "--new-compatibility 4", key="phrase")


def headers(c):
    for size in (16, 32, 48, 64, 96):
        pragmas = [f"cipher_plaintext_header_size = {size}"]
        path = c.make(f"header {size}", KEY[:-1] + SALT + "'", pragmas)
        c.add(f"header of {size}, salt in the key", path, "otherSettings", key="header")
        c.add(f"header of {size}, no salt", path, ("wrongKey", "otherSettings"))
        path = c.make(f"header phrase {size}", PHRASE, pragmas + [f"cipher_salt = \"x'{SALT}'\""])
        c.add(f"header of {size}, passphrase, no salt", path, "wrongKey", "--salt HEX", key="phrase")
        c.add(f"header of {size}, passphrase and salt", path,
              "sound" if size == 32 else "otherSettings", key="phrase", options=["--salt", SALT])
        c.add(f"header of {size}, all named", path, "sound", key="phrase",
              options=["--salt", SALT, "--plaintext-header", str(size)])


LAYOUTS = (
    ("v4", [], 4096), ("v3", ["cipher_compatibility = 3"], 1024),
    ("v2", ["cipher_compatibility = 2"], 1024),
    ("8192 SHA256", ["cipher_page_size = 8192", "cipher_hmac_algorithm = HMAC_SHA256"], 8192))


def damage(c):
    for name, pragmas, size in LAYOUTS:
        def made(what):
            return c.make(f"{name} {what}", KEY, pragmas, rows=200)

        def add(what, edit, verdicts, *words, pages=None, options=(), copy=False):
            path = made(what)
            if copy:
                shutil.copy(path, path + ".copy")
                options = ["--salt-from", path + ".copy"]
            change(path, edit)
            c.add(f"{name}: {what}", path, verdicts, *words, pages=pages, options=options)

        add("a flipped bit", flip(3 * size + 100), "damaged", "salvage", pages=[[4, 4]])
        add("a page of zeros", put(4 * size, bytes(size)), "damaged", pages=[[5, 5]])
        add("random bytes over three pages", put(5 * size, c.bytes(3 * size)), "damaged",
            pages=[[6, 8]])
        add("two pages exchanged", lambda old: old[:size] + old[2 * size:3 * size]
            + old[size:2 * size] + old[3 * size:], "damaged", pages=[[2, 3]])
        add("cut between pages", lambda old: old[:-2 * size], "truncated", "salvage")
        add("cut within a page", lambda old: old[:-size - 100], "truncated")
        add("page 1 destroyed", put(16, c.bytes(size - 16)), "damaged", pages=[[1, 1]])
        add("a byte behind the end", lambda old: old + b"x", "damaged")
        add("the salt overwritten", put(0, bytes(16)), "damagedSalt", "salvage")
        add("the salt overwritten, a copy given", put(0, bytes(16)), "damagedSalt", copy=True)


def two_keys(c):
    for name, pragmas, size in LAYOUTS:
        path = c.make(f"two keys {name}", KEY[:-1] + SALT + "'", pragmas, rows=200)
        other = path + ".other"
        shutil.copy(path, other)
        c.shell(other, KEY[:-1] + SALT + "'", pragmas, f"PRAGMA rekey = \"{OTHER[:-1]}{SALT}'\";")
        with open(other, "rb") as file:
            half = file.read()[:6 * size]
        change(path, put(0, half))
        c.add(f"{name}: two keys", path, "twoKeys", "salvage", "--old-key-file",
              options=["--old-key-file", c.keys["other"]])
        c.add(f"{name}: two keys, one given", path, "damaged", "--old-key-file")


def logs(c):
    foreign = c.log("the log of another", key=OTHER) + "-wal"
    for name, pragmas, size in LAYOUTS[::3]:
        frame = size + 24
        verdict = "sound" if name == "v4" else "otherSettings"

        def add(what, edit, verdicts, *words):
            path = c.log(f"{name} {what}", pragmas)
            if edit:
                change(path + "-wal", edit)
            c.add(f"{name}: {what}", path, verdicts, *words)

        add("a log", None, verdict)
        add("an empty log", lambda old: b"", verdict)
        add("a log cut in its last frame", lambda old: old[:-100], verdict, "-wal")
        add("a log cut before its last frame", lambda old: old[:-frame], verdict)
        add("a log cut in its header", lambda old: old[:20], "foreignLog", "-wal")
        add("a random log", lambda old: c.bytes(len(old)), "foreignLog", "-wal")
        add("a random log of an odd size", lambda old: c.bytes(777), "foreignLog", "-wal")
        add("a flipped bit in the first frame", flip(32 + 24 + 50), "foreignLog", "frame")
        add("a flipped bit in the header of the log", flip(18), "foreignLog", "-wal")
        path = c.log(f"{name} foreign", pragmas)
        shutil.copy(foreign, path + "-wal")
        c.add(f"{name}: the log of another database", path, "foreignLog", "-wal")


def journals(c):
    foreign = c.journal("the journal of another", key=OTHER) + "-journal"
    for name, pragmas, size in LAYOUTS[::3]:
        verdict = "sound" if name == "v4" else "otherSettings"

        def add(what, edit, verdicts, *words):
            path = c.journal(f"{name} {what}", pragmas)
            change(path + "-journal", edit)
            c.add(f"{name}: {what}", path, verdicts, *words)

        add("a hot journal", lambda old: old, verdict, "plays")
        add("a cut journal", lambda old: old[:-300], verdict, "plays")
        add("a random journal", lambda old: c.bytes(len(old)), verdict)
        with open(foreign, "rb") as file:
            content = file.read()
        add("the journal of another database", lambda old: content, "foreignLog", "-journal")


def others(c):
    path = c.path("plain")
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE t(a)")
        database.executemany("INSERT INTO t VALUES (?)", [("x" * 200,)] * 300)
    database.close()

    def add(name, content, verdicts, *words, key="key"):
        copy = c.path(name)
        with open(copy, "wb") as file:
            file.write(content)
        c.add(name, copy, verdicts, *words, key=key)

    with open(path, "rb") as file:
        plain = file.read()
    for key in ("key", None):
        label = "with a key" if key else "without one"
        add(f"a plain database, {label}", plain, "plaintext", "strongroom encrypt", key=key)
        add(f"a cut plain database, {label}", plain[:8192], "plaintext", ".recover", key=key)
        add(f"plain, cut within a page, {label}", plain[:9000], "plaintext", ".recover", key=key)
        add(f"a text, {label}", b"all work and no play\n" * 400, "notADatabase", key=key)
        add(f"nothing, {label}", b"", "empty", key=key)
        add(f"a byte, {label}", b"S", "notADatabase", key=key)
        add(f"511 random bytes, {label}", c.bytes(511), "notADatabase", key=key)
        add(f"zeros, {label}", bytes(8192), "notADatabase", key=key)
        add(f"random bytes of an odd size, {label}", c.bytes(20001), "notADatabase", key=key)
        add(f"random pages, {label}", c.bytes(40960), "wrongKey" if key else "keyNeeded", key=key)
    c.add("a wrong raw key", c.make("wrong"), "wrongKey", key="other")
    c.add("a wrong passphrase", c.make("wrong phrase"), "wrongKey", key="phrase")
    c.add("no key", c.make("no key"), "keyNeeded", "--key-file", key=None)
    c.add("keys the wrong way round", c.make("round"), "wrongKey", "strongroom check", key="other",
          options=["--old-key-file", c.keys["key"]])


def corpus(folder):
    import doctor_corpus_guide
    c = Corpus(folder)
    own = (versions, settings, headers, damage, two_keys, logs, journals, others)
    for part in own + doctor_corpus_guide.PARTS:
        part(c)
    return c
