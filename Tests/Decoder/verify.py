#!/usr/bin/env python3
"""Verifies a whole backup repository, as Documentation/BackupFormat.md describes it.

    verify.py REPO… [--authority HEX] [--verification-key HEX]

Written from the description alone, with the standard library, and `openssl` for signatures. It
shares nothing with restore.py, so that each can find the other's mistakes. With an authority (the
public key that is trusted) the head must be authorised by it; with a verification key, seals and
the HMACs of pages of that key are verified too. Prints a line for each repository: its path,
`sound` or `damaged`, and each problem, separated by tabs. Exit status: 0 if all are sound, 1 if
one is not, 2 if the command line was not understood.

The files may hold whatever an attacker likes: each number is compared with what is there, tables
and entries are read in pieces, and what was found sound is not looked at again.
"""
import argparse
import array
import bisect
import contextlib
import datetime
import functools
import hashlib
import hmac
import json
import os
import re
import resource
import stat
import struct
import subprocess
import sys
import tempfile

MEMORY = 256 << 20
FORMATS = ["strongroom-backup-1", "strongroom-backup-2"]
HEAD_LIMIT, MANIFEST_LIMIT = 1 << 20, 64 << 10
ENTRY_LIMIT, ENTRY_COUNT_LIMIT, AUTHORITY_LIMIT = 131_072, 1 << 16, 1_000
NUMBER_LIMIT = 1 << 31
PACK_START, PACK_END = b"strongroom pack\n", b"strongroom end.\n"
ROW, END, REFERENCE = struct.Struct("<32sQII"), struct.Struct("<IIQ16s"), struct.Struct("<32sII")
FAN_OUT = 64
HEX = {digits: re.compile(f"[0-9a-f]{{{digits}}}") for digits in (32, 64, 128)}
DATE = re.compile(r"[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}\.[0-9]{3}Z")
FILE_NAME = re.compile(r"([0-9]{8,10})-([0-9a-f]{64})\.(backup|pack)")
# How many problems are told of one tree, and of all: what is damaged on purpose has millions.
TREE_PROBLEMS, ALL_PROBLEMS = 10, 1_000
# How many nodes are remembered as sound. More are only verified again.
SOUND_LIMIT = 500_000


class Problem(Exception):
    """What is wrong with a file."""


class Enough(Exception):
    """So many problems that the rest does not matter."""


def require(condition, text):
    """Raises a problem unless the condition holds."""
    if not condition:
        raise Problem(text)


class Problems:
    """The problems that were found."""

    def __init__(self):
        self.count = 0
        self.lines = []

    def add(self, text):
        """Notes a line, in which no character of a file does anything to a terminal."""
        if self.count == ALL_PROBLEMS:
            self.lines.append("more problems are not listed")
            raise Enough
        self.count += 1
        self.lines.append(ascii(text[:400])[1:-1])

    @contextlib.contextmanager
    def of(self, what):
        """Turns whatever goes wrong with something into a problem of it."""
        try:
            yield
        except Enough:
            raise
        except Exception as error:
            text = str(error) if isinstance(error, Problem) else f"{type(error).__name__}: {error}"
            self.add(f"{what}: {text}")


# Files: no links are followed, and nothing waits for what is no file.

def open_folder(name, parent=None):
    """A descriptor of a folder; below the repository, none of a link."""
    flags = os.O_DIRECTORY | (os.O_NOFOLLOW if parent is not None else 0)
    return os.open(name, os.O_RDONLY | flags, dir_fd=parent)


def open_file(name, folder):
    """A descriptor of a file, and how long the file is."""
    file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    status = os.fstat(file)
    if not stat.S_ISREG(status.st_mode):
        os.close(file)
        raise Problem("not a file")
    return file, status.st_size


def read_file(name, folder, limit):
    """The content of a file that is not longer than the limit."""
    file, size = open_file(name, folder)
    with os.fdopen(file, "rb") as stream:
        require(size <= limit, f"longer than {limit} bytes")
        data = stream.read(limit + 1)
    require(len(data) <= limit, f"longer than {limit} bytes")
    return data


def read_exactly(file, count, offset):
    """Bytes of an open file."""
    data = os.pread(file, count, offset)
    require(len(data) == count, "ends too early")
    return data


def numbered(folder, suffix, limit):
    """The names of manifests or packs, by number, up to a number."""
    found = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            match = FILE_NAME.fullmatch(entry.name)
            if match and match[3] == suffix and len(match[1]) == max(8, len(str(int(match[1])))):
                if int(match[1]) <= limit:
                    found.setdefault(int(match[1]), []).append(entry.name)
    return found


# Text files.

def two_lines(data, function):
    """The first line, and the value in the second."""
    require(data.count(b"\n") == 2 and data.endswith(b"\n"), "not two lines")
    content, value = data[:-1].split(b"\n")
    match = re.fullmatch(rb"([a-z0-9-]+) ([0-9a-f]{64})", value)
    require(match and match[1] == function, "the second line")
    return content, match[2].decode()


def parse(text):
    """A JSON object."""
    def refuse(name):
        raise Problem(f"{name} is no JSON")
    if isinstance(text, bytes):
        text = text.decode("utf-8")
    value = json.loads(text, parse_constant=refuse)
    require(isinstance(value, dict), "not a JSON object")
    return value


def member(value, name, kind, absent):
    """A member of an object; none if it may be absent and is."""
    if absent and name not in value:
        return None
    require(name in value, f"{name} is missing")
    require(type(value[name]) is kind, f"{name} is no {kind.__name__}")
    return value[name]


def integer(value, name, low, high, absent=False):
    """An integer from `low` to `high`."""
    number = member(value, name, int, absent)
    require(number is None or low <= number <= high, f"{name} is out of bounds")
    return number


def text(value, name, pattern=None, absent=False):
    """A text, perhaps of a form."""
    string = member(value, name, str, absent)
    require(string is None or not pattern or pattern.fullmatch(string), f"{name} is malformed")
    return string


def date(value):
    """Requires that the object was created at a time that exists."""
    string = text(value, "created", DATE)
    datetime.datetime.strptime(string, "%Y-%m-%dT%H:%M:%S.%fZ")


# Head.

@functools.lru_cache(maxsize=4096)
def signed(key, signature, message):
    """Whether an Ed25519 signature is right."""
    with tempfile.TemporaryDirectory() as folder:
        parts = {
            "key": bytes.fromhex("302a300506032b6570032100" + key),
            "signature": bytes.fromhex(signature), "message": message}
        for name, data in parts.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
        result = subprocess.run(
            ["openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-keyform", "DER",
             "-inkey", "key", "-sigfile", "signature", "-in", "message"],
            cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, timeout=60)
        return result.returncode == 0


class Authorities:
    """Who may sign: the keys of all entries, those that were replaced, and who belongs together."""

    def __init__(self, entries):
        require(len(entries) <= AUTHORITY_LIMIT, f"more than {AUTHORITY_LIMIT} authorities")
        self.keys, self.replaced, self.groups = set(), set(), {}
        for index, entry in enumerate(entries):
            require(type(entry) is dict, f"authority {index} is no object")
            try:
                self.add(entry)
            except Problem as problem:
                raise Problem(f"authority {index}: {problem}") from None

    def add(self, entry):
        """Takes the next entry into account."""
        key, by = text(entry, "key", HEX[64]), text(entry, "by", HEX[64], absent=True)
        self.keys.add(key)
        if by is None:
            for name in ("replaces", "signature", "acceptance"):
                require(name not in entry, f"{name} without by")
            return
        replaces = member(entry, "replaces", bool, absent=True) or False
        word = "replaces" if replaces else "joins"
        message = f"strongroom-backup-2 introduction\n{by}\n{key}\n{word}\n".encode()
        for name, signer in (("signature", by), ("acceptance", key)):
            require(signed(signer, text(entry, name, HEX[128]), message), f"{name} is wrong")
        if by not in self.replaced:
            together = self.group(by) | self.group(key)
            self.groups.update(dict.fromkeys(together, together))
            if replaces:
                self.replaced.add(by)

    def group(self, key):
        """All keys that belong together with one."""
        return self.groups.get(key, {key})


class Head:
    """What `head` says, after its form and its numbers were verified."""

    def __init__(self, data):
        line, digest = two_lines(data, b"sha256")
        require(hashlib.sha256(line).hexdigest() == digest, "sha256 is wrong")
        outer = value = parse(line)
        self.format = text(outer, "format")
        require(self.format in FORMATS, "an unknown format")
        self.second = self.format == FORMATS[1]
        if self.second:
            self.content = text(outer, "content").encode("utf-8")
            value = parse(self.content)
            require(text(value, "format") == self.format, "two formats")
        self.repository = text(value, "repository", HEX[32])
        date(value)
        self.sequence = integer(value, "sequence", 0, NUMBER_LIMIT - 1)
        self.manifest = text(value, "manifest", HEX[64], absent=True)
        require((self.manifest is None) == (self.sequence == 0), "manifest or sequence")
        self.next_pack = integer(value, "nextPack", 0, NUMBER_LIMIT - 1)
        self.read_pruned(member(value, "pruned", list, False))
        if self.second:
            self.read_signed(outer, value)

    def read_pruned(self, ranges):
        """Ranges that ascend, as pairs of numbers in two arrays."""
        self.pruned, end = (array.array("q"), array.array("q")), 0
        for pair in ranges:
            require(type(pair) is list and len(pair) == 2, "pruned is malformed")
            require(all(type(number) is int for number in pair), "pruned is malformed")
            require(end < pair[0] <= pair[1] <= self.sequence, "pruned is out of bounds")
            end = pair[1]
            self.pruned[0].append(pair[0])
            self.pruned[1].append(pair[1])

    def read_signed(self, outer, value):
        """What only the second format has; signatures of the head itself are not verified here."""
        integer(value, "generation", 1, (1 << 53) - 1)
        entries = member(value, "authorities", list, False)
        empty = self.sequence == 0
        require(empty == (not entries), "authorities without backups, or backups without them")
        self.key = text(value, "key", HEX[32], absent=empty)
        self.seal = text(outer, "seal", HEX[64], absent=empty)
        self.signer = text(outer, "signer", HEX[64], absent=empty)
        self.signature = text(outer, "signature", HEX[128], absent=empty)
        if empty:
            signing = (self.key, self.seal, self.signer, self.signature)
            require(signing == (None,) * 4, "sealed or signed without backups")
        self.authorities = Authorities(entries)

    def is_kept(self, number):
        """Whether the pages of a backup are still there: its number is in no range."""
        index = bisect.bisect_left(self.pruned[1], number)
        return index == len(self.pruned[1]) or number < self.pruned[0][index]

    def keeps_any(self, first, last):
        """Whether one of these backups is kept."""
        number = first
        while number <= last:
            index = bisect.bisect_left(self.pruned[1], number)
            if index == len(self.pruned[1]) or number < self.pruned[0][index]:
                return True
            number = self.pruned[1][index] + 1
        return False

    def verify_signature(self, authority):
        """Requires a right signature of one who may sign, and whom the authority stands for."""
        if not self.second or self.sequence == 0:
            require(authority is None, "not signed, so not authorised")
            return
        message = b"strongroom-backup-2 head\n" + self.content
        require(signed(self.signer, self.signature, message), "signature is wrong")
        require(self.signer in self.authorities.keys, "the signer is no authority")
        require(self.signer not in self.authorities.replaced, "the signer was replaced")
        if authority is not None:
            require(authority in self.authorities.group(self.signer), "not authorised")

    def verify_seal(self, key):
        """Requires a right seal if the head was sealed with the verification key."""
        if self.second and self.sequence > 0 and key is not None and self.key == key.identifier:
            require(key.seal(b"strongroom-backup-2 head", self.content) == self.seal, "seal")


class VerificationKey:
    """The key of a database's HMACs, and what follows from it."""

    def __init__(self, key):
        self.key = key
        self.identifier = self.derived(b"strongroom-backup-1 key identifier").hex()[:32]
        self.used = False

    def derived(self, purpose):
        """The key, or the identifier, for a purpose."""
        return hmac.digest(self.key, purpose, "sha256")

    def seal(self, purpose, content):
        """The seal of a text, in hexadecimal digits."""
        return hmac.digest(self.derived(purpose), content, "sha256").hex()

    def verify_page(self, number, page, algorithm, header):
        """Requires that the page has the right HMAC, unless it is empty: SQLite has not used it."""
        if page.count(0) == len(page):
            return
        size = hashlib.new(algorithm).digest_size
        end = len(page) - -(-(16 + size) // 16) * 16 + 16
        start = (header or 16) if number == 1 else 0
        value = hmac.digest(self.key, page[start:end] + number.to_bytes(4, "little"), algorithm)
        require(value == page[end:end + size], "HMAC is wrong")


class Manifest:
    """What a manifest says that its tree is compared with, after its numbers were verified."""

    def __init__(self, value, number, head):
        formats = FORMATS[:FORMATS.index(head.format) + 1]
        require(text(value, "format") in formats, "an unknown format, or later than that of head")
        require(text(value, "repository") == head.repository, "of another repository")
        require(integer(value, "sequence", 1, head.sequence) == number, "of another number")
        date(value)
        text(value, "tag", absent=True)
        text(value, "database")
        self.page_count = integer(value, "pageCount", 1, (1 << 32) - 2)
        self.read_cipher(member(value, "cipher", dict, False))
        self.key = text(value, "key", HEX[32])
        for name in ("schemaVersion", "userVersion", "applicationID"):
            integer(value, name, -1 << 31, (1 << 32) - 1)
        root = member(value, "root", dict, False)
        self.root = (
            bytes.fromhex(text(root, "sha256", HEX[64])),
            integer(root, "pack", 0, head.next_pack - 1),
            integer(root, "slot", 0, ENTRY_COUNT_LIMIT - 1))
        for name in ("base", "rekeyed"):
            integer(value, name, 1, number - 1, absent=True)
        first = integer(value, "firstPack", 0, head.next_pack)
        integer(value, "packCount", 0, head.next_pack - first)
        for name in ("storedPageCount", "storedByteCount"):
            integer(value, name, 0, (1 << 63) - 1)

    def read_cipher(self, cipher):
        """SQLCipher's settings."""
        self.page_size = integer(cipher, "pageSize", 512, 65536)
        require(self.page_size & (self.page_size - 1) == 0, "pageSize is no power of two")
        algorithm = re.compile("SHA1|SHA256|SHA512")
        text(cipher, "kdfAlgorithm", algorithm)
        integer(cipher, "kdfIterations", 1, 100_000_000)
        integer(cipher, "fastKDFIterations", 1, 1_000_000)
        self.hmac = (text(cipher, "hmacAlgorithm", algorithm, absent=True) or "").lower()
        integer(cipher, "hmacSaltMask", 0, 255)
        self.header = integer(cipher, "plaintextHeaderByteCount", 0, self.page_size)
        self.salt = bytes.fromhex(text(cipher, "salt", HEX[32]))

    def beginnings(self):
        """What page 1 has where no HMAC covers it, by offset: the salt, or numbers of the header."""
        if self.header == 0:
            return [(0, self.salt)]
        size = hashlib.new(self.hmac).digest_size if self.hmac else 0
        values = [
            (0, b"SQLite format 3\0"), (16, (self.page_size % 65535).to_bytes(2, "big")),
            (20, bytes([-(-(16 + size) // 16) * 16])), (21, bytes([64, 32, 32]))]
        return [(at, value) for at, value in values if at + len(value) <= self.header]


class Pack:
    """A pack whose table was verified. Rows and entries are read when they are needed."""

    def __init__(self, name, number, folder, index):
        self.name, self.folder, self.index, self.marks = name, folder, index, None
        file, size = open_file(name, folder)
        try:
            require(read_exactly(file, 16, 0) == PACK_START, "the beginning")
            require(size >= 16 + END.size, "ends too early")
            written, self.count, self.table, mark = END.unpack(
                read_exactly(file, END.size, size - END.size))
            require(mark == PACK_END, "the end")
            require(written == number, "of another number")
            require(self.count <= ENTRY_COUNT_LIMIT, "too many entries")
            require(self.table == size - END.size - ROW.size * self.count >= 16, "the table")
            self.verify_table(file, size)
        finally:
            os.close(file)

    def verify_table(self, file, size):
        """Requires that the table has the hash in the name, and entries one after the other."""
        digest, places = hashlib.sha256(), array.array("Q")
        for start in range(self.table, size - END.size, ROW.size << 10):
            data = read_exactly(file, min(ROW.size << 10, size - END.size - start), start)
            digest.update(data)
            for _, offset, length, _ in ROW.iter_unpack(data):
                require(length <= ENTRY_LIMIT, "an entry is too long")
                require((offset == 0) == (length == 0), "an entry has an offset or a length alone")
                if length:
                    require(16 <= offset <= self.table - length, "an entry is out of bounds")
                    places.append(offset << 20 | length)
        digest.update(read_exactly(file, END.size, size - END.size))
        require(digest.hexdigest() == FILE_NAME.fullmatch(self.name)[2], "the table's hash")
        end = 16
        for place in sorted(places):
            require(place >> 20 >= end, "entries overlap")
            end = (place >> 20) + (place & (1 << 20) - 1)


    def mark(self, slot):
        """Remembers that an entry has the hash of its row."""
        if self.marks is None:
            self.marks = bytearray(-(-self.count // 8))
        self.marks[slot >> 3] |= 1 << (slot & 7)

    def is_marked(self, slot):
        """Whether the entry was found to have the hash of its row."""
        return self.marks is not None and bool(self.marks[slot >> 3] >> (slot & 7) & 1)


class Repository:
    """A repository, and what of it was found to be sound already."""

    def __init__(self, path, problems, key):
        self.problems, self.key = problems, key
        self.folder = open_folder(path)
        self.packs, self.files, self.sound = {}, {}, {}

    def verify(self, authority):
        """Verifies all."""
        self.head = None
        with self.problems.of("head"):
            self.head = Head(read_file("head", self.folder, HEAD_LIMIT))
        if self.head is None:
            return
        with self.problems.of("head"):
            self.head.verify_signature(authority)
        with self.problems.of("head"):
            self.head.verify_seal(self.key)
        for name, kind in (("backups", stat.S_ISDIR), ("packs", stat.S_ISDIR),
                           ("tmp", stat.S_ISDIR), ("aside", stat.S_ISDIR),
                           ("lock", stat.S_ISREG), ("lock.readers", stat.S_ISREG)):
            with self.problems.of(name), contextlib.suppress(FileNotFoundError):
                mode = os.stat(name, dir_fd=self.folder, follow_symlinks=False).st_mode
                require(kind(mode), "not a folder" if kind is stat.S_ISDIR else "not a file")
        with self.problems.of("packs"), contextlib.suppress(FileNotFoundError):
            self.verify_packs()
        with self.problems.of("backups"):
            self.verify_manifests()
        if self.key is not None and self.head.sequence > 0 and not self.key.used:
            self.problems.add("verification key: no backup has this key")

    def verify_packs(self):
        """The tables of all packs that the head knows."""
        folder, index = open_folder("packs", self.folder), 0
        for number, names in sorted(numbered(folder, "pack", self.head.next_pack - 1).items()):
            for name in sorted(names):
                with self.problems.of(f"packs/{name}"):
                    pack = Pack(name, number, folder, index)
                    self.packs.setdefault(number, []).append(pack)
                index += 1

    def verify_manifests(self):
        """The chain from the head back, and trees. Where it is broken, names lead on."""
        if self.head.sequence == 0:
            return
        folder = open_folder("backups", self.folder)
        names = numbered(folder, "backup", self.head.sequence)
        numbers = sorted(names)
        number, previous, broken = self.head.sequence, self.head.manifest, False
        while number > 0:
            broken = broken or previous is None
            if previous is None and number not in names:
                index = bisect.bisect_left(numbers, number)
                found = numbers[index - 1] if index > 0 else 0
                # Those of pruned backups are only links.
                if self.head.keeps_any(found + 1, number):
                    self.problems.add(f"backups: no manifests of {found + 1} to {number}")
                number = found
                continue
            name = f"{number:08}-{previous}.backup" if previous else sorted(names[number])[0]
            previous, manifest = None, None
            kept = self.head.is_kept(number) or number == self.head.sequence
            with self.problems.of(f"backups/{name}") if kept else contextlib.suppress(Exception):
                data = read_file(name, folder, MANIFEST_LIMIT)
                require(hashlib.sha256(data).hexdigest() == name[-71:-7], "sha256 is wrong")
                content, seal = two_lines(data, b"hmac-sha256")
                value = parse(content)
                previous = text(value, "previous", HEX[64], absent=number == 1)
                require(number > 1 or previous is None, "previous in the first")
                manifest = Manifest(value, number, self.head)
            if manifest is None:
                previous = None
            else:
                with self.problems.of(f"backups/{name}"):
                    self.verify_backup(manifest, number, content, seal, broken)
            number -= 1

    def verify_backup(self, manifest, number, content, seal, broken):
        """The seal of a manifest, and the tree, if it was not pruned."""
        keyed = self.key is not None and manifest.key == self.key.identifier
        require(keyed or not broken or not self.head.is_kept(number), "only its key can vouch for it")
        if keyed:
            self.key.used = True
            right = self.key.seal(b"strongroom-backup-1 manifest", content) == seal
            require(right, "the seal is wrong")
        if self.head.is_kept(number):
            height = 1
            while FAN_OUT ** height < manifest.page_count:
                height += 1
            settings = (manifest.hmac, manifest.header) if keyed and manifest.hmac else None
            Tree(self, number, manifest, settings).verify(manifest.root, height, 1)

    def file(self, pack):
        """A descriptor of the pack's file; a few stay open."""
        if pack.name not in self.files:
            if len(self.files) >= 32:
                for file in self.files.values():
                    os.close(file)
                self.files.clear()
            self.files[pack.name] = open_file(pack.name, pack.folder)[0]
        return self.files[pack.name]

    def find(self, reference, page):
        """The pack that has an entry, its offset and length, after its row was compared."""
        digest, number, slot = reference
        require(number in self.packs, f"pack {number} is missing or damaged")
        reason = "has no such slot"
        for pack in self.packs[number]:
            if slot >= pack.count:
                continue
            row = read_exactly(self.file(pack), ROW.size, pack.table + ROW.size * slot)
            found, offset, length, row_page = ROW.unpack(row)
            if found == digest and row_page == page and length > 0:
                return pack, offset, length
            reason = ("has another hash" if found != digest else
                      "is of another page" if row_page != page else "is gone")
        raise Problem(f"pack {number}, slot {slot}: {reason}")

    def entry(self, place, reference):
        """The bytes of an entry, after their hash was compared."""
        pack, offset, length = place
        data = read_exactly(self.file(pack), length, offset)
        right = hashlib.sha256(data).digest() == reference[0]
        require(right, f"pack {reference[1]}, slot {reference[2]}: sha256 is wrong")
        pack.mark(reference[2])
        return data


class Tree:
    """The tree of a backup. A part that was found sound at the same place is not read again."""

    def __init__(self, repository, number, manifest, settings):
        self.repository, self.number, self.settings = repository, number, settings
        self.page_size, self.page_count = manifest.page_size, manifest.page_count
        self.beginnings = manifest.beginnings()
        state = (self.page_size, settings, *self.beginnings)
        self.sound = repository.sound.setdefault(state, {})
        self.told = 0

    def verify(self, reference, level, first):
        """A node whose first page is `first`, or on level 0 that page, and all below."""
        if self.told >= TREE_PROBLEMS:
            return
        told, before = self.told, self.repository.problems.count
        with self.repository.problems.of(f"backup {self.number}, page {first}, level {level}"):
            if level == 0:
                self.verify_page(reference, first)
            else:
                self.verify_node(reference, level, first)
        if self.told == told:
            self.told += self.repository.problems.count - before

    def verify_page(self, reference, number):
        """A page: its length, its hash, and with a key its HMAC."""
        place = self.repository.find(reference, number)
        require(place[2] == self.page_size, "the length of the page")
        if self.settings is None and number > 1 and place[0].is_marked(reference[2]):
            return
        page = self.repository.entry(place, reference)
        for offset, value in self.beginnings if number == 1 else ():
            require(page[offset:offset + len(value)] == value, "page 1 begins with other bytes")
        if self.settings is not None:
            self.repository.key.verify_page(number, page, *self.settings)

    def verify_node(self, reference, level, first):
        """A node: it is full, or the last of its level."""
        below = FAN_OUT ** (level - 1)
        pages = min(below * FAN_OUT, self.page_count - first + 1)
        place = self.repository.find(reference, 0)
        identity = place[0].index * ENTRY_COUNT_LIMIT + reference[2]
        state = (first << 32 | pages) << 3 | level
        if self.sound.get(identity) == state:
            return
        require(place[2] == REFERENCE.size * -(-pages // below), "the length of the node")
        told = self.told
        node = self.repository.entry(place, reference)
        for index, child in enumerate(REFERENCE.iter_unpack(node)):
            self.verify(child, level - 1, first + index * below)
        if self.told == told:
            if len(self.sound) == SOUND_LIMIT:
                self.sound.clear()
            self.sound[identity] = state


def hex_digits(argument):
    """32 bytes in hexadecimal digits."""
    if not re.fullmatch("[0-9a-fA-F]{64}", argument):
        raise argparse.ArgumentTypeError("64 hexadecimal digits")
    return argument.lower()


def verify(path, arguments):
    """Whether a repository is sound; prints what was found."""
    key = arguments.verification_key and VerificationKey(bytes.fromhex(arguments.verification_key))
    problems = Problems()
    with contextlib.suppress(Enough), problems.of("repository"):
        Repository(path, problems, key).verify(arguments.authority)
    verdict = "damaged" if problems.count else "sound"
    print(path, verdict, *problems.lines[:20], sep="\t", flush=True)
    return problems.count == 0


def main():
    """Verifies what the command line says."""
    parser = argparse.ArgumentParser(prog="verify.py", allow_abbrev=False)
    parser.add_argument("repository", metavar="REPO", nargs="+")
    parser.add_argument("--authority", metavar="HEX", type=hex_digits)
    parser.add_argument("--verification-key", metavar="HEX", type=hex_digits)
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        verdicts = [verify(path, arguments) for path in arguments.repository]
        return 0 if all(verdicts) else 1
    except OSError:
        # The lines cannot be written; nothing is left to be written when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except MemoryError:
        os.write(sys.stdout.fileno(), b"repository: needs too much memory\n")
        os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
