#!/usr/bin/env python3
"""Verifies a backup repository, as Documentation/BackupFormat.md describes it.

    verify.py REPO… [--authority PUBLIC-KEY] [--verification-key KEY]

Prints a line for each repository: its path, `sound` or `damaged`, and what is wrong, separated by
tabs. Exits with 1 if one is damaged. Written from the
description, with the standard library and `openssl`, which verifies signatures.
"""
import argparse
import datetime
import functools
import hashlib
import hmac
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

FORMATS = ["strongroom-backup-1", "strongroom-backup-2"]
HEX64 = re.compile(r"[0-9a-f]{64}")
HEX32 = re.compile(r"[0-9a-f]{32}")


class Wrong(Exception):
    """Something is not as it should be."""


def require(condition, what):
    if not condition:
        raise Wrong(what)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def whole(value, low, high):
    """Whether it is a whole number of a range."""
    return type(value) is int and low <= value <= high


def matches(pattern, value):
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def optional(condition, value):
    return value is None or condition


def read(path, limit):
    """The bytes of a small file, no link."""
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        data = file.read(limit + 1)
    require(len(data) <= limit, f"{path} is too long")
    return data


def parse(text):
    def refuse(name):
        raise ValueError(name)

    members = json.loads(text.decode("utf-8"), parse_constant=refuse)
    require(isinstance(members, dict), "no object")
    return members


def two_lines(data):
    parts = data.split(b"\n")
    require(len(parts) == 3 and parts[2] == b"", "not two lines")
    words = parts[1].decode("ascii").split(" ")
    require(len(words) == 2 and matches(HEX64, words[1]), "no seal")
    return parts[0], words[0], words[1]


@functools.cache
def has_signed(key, text, signature):
    """Whether an Ed25519 key has made a signature, as openssl says."""
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, name) for name in ("key", "text", "signature")]
        der = bytes.fromhex("302a300506032b6570032100" + key)
        for name, content in zip(names, (der, text, bytes.fromhex(signature))):
            with open(name, "wb") as file:
                file.write(content)
        done = subprocess.run(
            ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", names[0],
             "-rawin", "-in", names[1], "-sigfile", names[2]], capture_output=True, check=False)
    return done.returncode == 0


class Authorities:
    """Who may sign, and who belongs together."""

    def __init__(self, entries):
        self.members, self.replaced, self.edges = set(), set(), []
        require(isinstance(entries, list) and len(entries) <= 1000, "authorities")
        for entry in entries:
            self.add(entry)

    def add(self, entry):
        require(isinstance(entry, dict), "an authority")
        values = [entry.get(name) for name in ("key", "by", "replaces", "signature", "acceptance")]
        key, by, replaces, signature, acceptance = values
        require(matches(HEX64, key), "a key")
        self.members.add(key)
        if by is None:
            require(values[2:] == [None] * 3, "a beginning with signatures")
            return
        require(matches(HEX64, by) and by != key and replaces in (None, True, False), "by")
        word = "replaces" if replaces else "joins"
        text = f"strongroom-backup-2 introduction\n{by}\n{key}\n{word}\n".encode()
        for name, made in ((by, signature), (key, acceptance)):
            require(isinstance(made, str) and re.fullmatch("[0-9a-fA-F]{128}", made), "signature")
            require(has_signed(name, text, made), "an introduction with a wrong signature")
        if by not in self.replaced:
            self.edges.append((by, key))
            if replaces:
                self.replaced.add(by)

    def authorise(self, signer, trusted):
        """Whether a head that `signer` has signed counts for who trusts another key."""
        known = {signer}
        while True:
            found = {key for edge in self.edges if known & set(edge) for key in edge} - known
            if not found:
                break
            known |= found
        return signer in self.members and signer not in self.replaced and trusted in known


class Head:
    def __init__(self, path, keys):
        line, kind, digest = two_lines(read(os.path.join(path, "head"), 1 << 20))
        require(kind == "sha256" and digest == sha256(line), "head: its hash is wrong")
        outer = parse(line)
        self.format = outer.get("format")
        require(self.format in FORMATS, "head: its format is not known")
        self.signer, self.authorities = None, Authorities([])
        if self.format == FORMATS[0]:
            members = outer
        else:
            require(isinstance(outer.get("content"), str), "head: no content")
            content = outer["content"].encode("utf-8")
            members = parse(content)
            require(members.get("format") == self.format, "head: two formats")
            self.check_signature(outer, members, content, keys)
        self.check_numbers(members)

    def check_signature(self, outer, members, content, keys):
        entries = members.get("authorities")
        require(whole(members.get("generation"), 1, 2**53 - 1), "head: generation")
        self.authorities = Authorities(entries)
        require((entries == []) == (members.get("sequence") == 0), "head: authorities")
        vouching = [outer.get(name) for name in ("seal", "signer", "signature")]
        if not entries:
            require(vouching + [members.get("key")] == [None] * 4, "head: signed by nobody")
            return
        seal, signer, signature = vouching
        require(matches(HEX32, members.get("key")) and matches(HEX64, seal), "head: seal")
        require(matches(HEX64, signer), "head: signer")
        require(re.fullmatch("[0-9a-fA-F]{128}", signature or ""), "head: signature")
        text = b"strongroom-backup-2 head\n" + content
        require(has_signed(signer, text, signature), "head: its signature is wrong")
        require(self.authorities.authorise(signer, signer), "head: its signer may not sign")
        key = keys.get(members["key"])
        if key is not None:
            made = hmac.new(key.derived(b"strongroom-backup-2 head"), content, "sha256")
            require(made.hexdigest() == seal, "head: its seal is wrong")
        self.signer = signer

    def check_numbers(self, members):
        self.repository = members.get("repository")
        self.sequence = members.get("sequence")
        self.manifest = members.get("manifest")
        self.next_pack = members.get("nextPack")
        pruned = members.get("pruned")
        require(matches(HEX32, self.repository), "head: repository")
        require(isinstance(members.get("created"), str), "head: created")
        require(whole(self.sequence, 0, 2**31 - 1), "head: sequence")
        require(whole(self.next_pack, 1, 2**31 - 1), "head: nextPack")
        require((self.manifest is None) == (self.sequence == 0), "head: manifest")
        require(optional(matches(HEX64, self.manifest), self.manifest), "head: manifest")
        require(isinstance(pruned, list), "head: pruned")
        last = 0
        for pair in pruned:
            require(isinstance(pair, list) and len(pair) == 2, "head: pruned")
            require(whole(pair[0], last + 1, self.sequence), "head: pruned")
            require(whole(pair[1], pair[0], self.sequence), "head: pruned")
            last = pair[1]
        self.pruned = pruned

    def is_pruned(self, number):
        return any(first <= number <= last for first, last in self.pruned)


class Key:
    """A verification key, and what follows from it."""

    def __init__(self, text):
        self.bytes = bytes.fromhex(text)
        self.identifier = self.derived(b"strongroom-backup-1 key identifier").hex()[:32]

    def derived(self, purpose):
        return hmac.digest(self.bytes, purpose, "sha256")

    def has_sealed(self, content, seal):
        key = self.derived(b"strongroom-backup-1 manifest")
        return hmac.new(key, content, "sha256").hexdigest() == seal

    def is_authentic(self, cipher, number, page):
        """Whether a page has the HMAC of this key; one of zeros is the free list's affair."""
        algorithm = cipher.get("hmacAlgorithm")
        if algorithm is None or page.count(0) == len(page):
            return True
        size = hashlib.new(algorithm.lower()).digest_size
        reserve = (16 + size + 15) // 16 * 16
        start = (cipher["plaintextHeaderByteCount"] or 16) if number == 1 else 0
        end = len(page) - reserve + 16
        text = page[start:end] + struct.pack("<I", number)
        return page[end:end + size] == hmac.digest(self.bytes, text, algorithm.lower())


def check_cipher(cipher):
    require(isinstance(cipher, dict), "cipher")
    size = cipher.get("pageSize")
    require(whole(size, 512, 65536) and size & (size - 1) == 0, "pageSize")
    names = ["SHA1", "SHA256", "SHA512"]
    require(cipher.get("kdfAlgorithm") in names, "kdfAlgorithm")
    algorithm = cipher.get("hmacAlgorithm")
    require(algorithm is None or algorithm in names, "hmacAlgorithm")
    digest = hashlib.new(algorithm.lower()).digest_size if algorithm else 0
    usable = size - (16 + digest + 15) // 16 * 16
    header = cipher.get("plaintextHeaderByteCount")
    require(usable >= 480 and whole(header, 0, usable - 1) and header % 16 == 0, "header")
    require(whole(cipher.get("kdfIterations"), 1, 100_000_000), "kdfIterations")
    require(whole(cipher.get("fastKDFIterations"), 1, 1_000_000), "fastKDFIterations")
    require(whole(cipher.get("hmacSaltMask"), 0, 255), "hmacSaltMask")
    salt = cipher.get("salt")
    require(isinstance(salt, str) and re.fullmatch("[0-9a-fA-F]{32}", salt), "salt")


def check_manifest(manifest, number, head):
    require(manifest.get("format") in FORMATS, "format")
    require(manifest["format"] <= head.format, "a later format than the head's")
    require(manifest.get("repository") == head.repository, "repository")
    require(type(manifest.get("sequence")) is int and manifest["sequence"] == number, "sequence")
    previous = manifest.get("previous")
    require(previous is None if number == 1 else matches(HEX64, previous), "previous")
    created = manifest.get("created")
    form = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
    require(matches(form, created) and created.isascii(), "created")
    datetime.datetime.strptime(created[:-1], "%Y-%m-%dT%H:%M:%S.%f")
    tag = manifest.get("tag")
    require(optional(isinstance(tag, str), tag), "tag")
    require(isinstance(manifest.get("database"), str), "database")
    require(whole(manifest.get("pageCount"), 1, 2**32 - 2), "pageCount")
    check_cipher(manifest.get("cipher"))
    require(matches(HEX32, manifest.get("key")), "key")
    for name in ("schemaVersion", "userVersion", "applicationID"):
        require(whole(manifest.get(name), -(2**63), 2**63 - 1), name)
    root = manifest.get("root")
    require(isinstance(root, dict) and matches(HEX64, root.get("sha256")), "root")
    require(whole(root.get("pack"), 0, head.next_pack - 1), "root")
    require(whole(root.get("slot"), 0, 2**32 - 1), "root")
    for name in ("base", "rekeyed"):
        other = manifest.get(name)
        require(optional(whole(other, 1, number - 1), other), name)
    require(whole(manifest.get("firstPack"), 0, 2**32 - 1), "firstPack")
    require(whole(manifest.get("packCount"), 0, 2**32 - 1), "packCount")
    require(manifest["firstPack"] + manifest["packCount"] <= head.next_pack, "packCount")
    require(whole(manifest.get("storedPageCount"), 0, 2**32 - 1), "storedPageCount")
    require(whole(manifest.get("storedByteCount"), 0, 2**63 - 1), "storedByteCount")


class Pack:
    """A pack whose table is the one that its name says."""

    def __init__(self, folder, name, number, digest):
        self.path = os.path.join(folder, name)
        self.file = open(os.open(self.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
        size = os.fstat(self.file.fileno()).st_size
        require(size >= 48, "too short")
        written, count, offset, end = struct.unpack("<IIQ16s", self.at(size - 32, 32))
        require(written == number and end == b"strongroom end.\n" and count <= 1 << 16, "its end")
        require(offset >= 16 and offset + 48 * count + 32 == size, "its table")
        table = self.at(offset, size - offset)
        require(sha256(table) == digest, "its table is not the one that its name says")
        require(self.at(0, 16) == b"strongroom pack\n", "its beginning")
        self.rows = [struct.unpack_from("<32sQII", table, 48 * i) for i in range(count)]
        place = 16
        for _, start, length, _ in self.rows:
            if length:
                require(start == place and length <= 131_072, "entries do not follow each other")
                place += length
        require(place == offset, "there is more than its entries")

    def at(self, offset, count):
        self.file.seek(offset)
        data = self.file.read(count)
        require(len(data) == count, "cut")
        return data

    def entry(self, slot):
        digest, offset, length, _ = self.rows[slot]
        data = self.at(offset, length)
        require(hashlib.sha256(data).digest() == digest, f"entry {slot} was changed")
        return data


def numbered(folder, suffix):
    """The files of a folder that have a number and a hash, by number."""
    found = {}
    for name in sorted(os.listdir(folder)):
        match = re.fullmatch(r"([0-9]{8,10})-([0-9a-f]{64})" + re.escape(suffix), name)
        if match and match[1] == f"{int(match[1]):08}" and int(match[1]) < 2**32:
            found.setdefault(int(match[1]), []).append((name, match[2]))
    return found


class Verification:
    def __init__(self, path, authority, key):
        self.path, self.authority = path, authority
        self.keys = {key.identifier: key} if key else {}
        self.problems, self.packs, self.sound = [], {}, {}

    def attempt(self, what, body, *arguments):
        """Notes what goes wrong; None then."""
        try:
            return body(*arguments)
        except (Wrong, OSError, ValueError, KeyError, TypeError, IndexError, OverflowError,
                RecursionError, AttributeError, struct.error, MemoryError) as error:
            self.problems.append(f"{what}: {type(error).__name__}: {error}"[:300])
            return None

    def run(self):
        self.head = self.attempt("head", Head, self.path, self.keys)
        if self.head is None:
            return
        if self.authority is not None:
            signer = self.head.signer
            if signer is None or not self.head.authorities.authorise(signer, self.authority):
                self.problems.append("head: not signed by who is trusted")
        backups = self.attempt("backups", self.chain) or {}
        self.attempt("packs", self.read_packs, backups)
        for number, manifest in backups.items():
            if not self.head.is_pruned(number):
                self.attempt(f"backup {number}", self.check_tree, manifest)

    def chain(self):
        """The manifests, from the last one to the first."""
        folder = os.path.join(self.path, "backups")
        names, backups = numbered(folder, ".backup"), {}
        require(self.head.sequence <= len(names) + (1 << 16), "more backups than manifests")
        expected = self.head.manifest
        for number in range(self.head.sequence, 0, -1):
            known = names.get(number, [])
            if expected is not None:
                known = [name for name in known if name[1] == expected]
            expected = None
            if len(known) != 1:
                self.problems.append(f"manifest {number} is missing")
                continue
            manifest = self.attempt(
                f"manifest {number}", self.manifest, os.path.join(folder, known[0][0]), number,
                known[0][1])
            if manifest:
                backups[number] = manifest
                expected = manifest.get("previous")
        return backups

    def manifest(self, path, number, digest):
        data = read(path, 1 << 16)
        require(sha256(data) == digest, "it is not what its name says")
        content, kind, seal = two_lines(data)
        manifest = parse(content)
        check_manifest(manifest, number, self.head)
        key = self.keys.get(manifest["key"])
        if key is not None:
            require(kind == "hmac-sha256" and key.has_sealed(content, seal), "its seal is wrong")
        return manifest

    def read_packs(self, backups):
        """Reads each pack that the head knows, and each entry in it."""
        folder = os.path.join(self.path, "packs")
        for number, names in numbered(folder, ".pack").items():
            if number >= self.head.next_pack:
                continue
            owners = [m for m in backups.values()
                      if m["firstPack"] <= number < m["firstPack"] + m["packCount"]]
            for name, digest in names:
                pack = self.attempt(name, Pack, folder, name, number, digest)
                if pack is None:
                    continue
                self.packs.setdefault(number, []).append(pack)
                for slot, row in enumerate(pack.rows):
                    if row[2]:
                        self.attempt(name, self.check_entry, pack, slot, owners)

    def check_entry(self, pack, slot, owners):
        data, page = pack.entry(slot), pack.rows[slot][3]
        for owner in owners:
            key = self.keys.get(owner["key"])
            if page and key is not None:
                require(len(data) == owner["cipher"]["pageSize"], "a page of another size")
                require(key.is_authentic(owner["cipher"], page, data), f"page {page}: HMAC")

    def find(self, reference, page, length=None):
        """The pack that has an entry, and its slot."""
        digest, number, slot = reference
        for pack in self.packs.get(number, []):
            if slot < len(pack.rows):
                row = pack.rows[slot]
                if row[0] == digest and row[3] == page and row[2]:
                    require(length is None or row[2] == length, "a page of another size")
                    return pack, slot
        raise Wrong(f"pack {number} has no entry {slot} for page {page}")

    def check_tree(self, manifest):
        height, reach = 1, 64
        while reach < manifest["pageCount"]:
            height, reach = height + 1, reach * 64
        root = manifest["root"]
        reference = (bytes.fromhex(root["sha256"]), root["pack"], root["slot"])
        self.check_node(
            reference, height, 1, manifest["pageCount"], manifest["cipher"]["pageSize"])

    def check_node(self, reference, height, first, last, page_size):
        visit = (reference, height, first, last, page_size)
        if visit in self.sound:
            return
        pack, slot = self.find(reference, 0)
        data = pack.entry(slot)
        reach = 64 ** (height - 1)
        require(len(data) == 40 * ((last - first + reach) // reach), "a node of another size")
        for index, child in enumerate(struct.iter_unpack("<32sII", data)):
            start = first + index * reach
            if height == 1:
                self.find(child, start, page_size)
            else:
                self.check_node(child, height - 1, start, min(last, start + reach - 1), page_size)
        self.sound[visit] = True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("repository", nargs="+")
    parser.add_argument("--authority")
    parser.add_argument("--verification-key")
    words = parser.parse_args()
    for value in (words.authority, words.verification_key):
        if value is not None and not HEX64.fullmatch(value):
            parser.error("a key has 64 hexadecimal digits")
    key = Key(words.verification_key) if words.verification_key else None
    is_damaged = False
    for path in words.repository:
        verification = Verification(path, words.authority, key)
        verification.run()
        problems = "; ".join(verification.problems)
        verdict = "damaged" if problems else "sound"
        shown = problems.encode("unicode_escape").decode()[:2000]
        print(path, verdict, shown, sep="\t")
        is_damaged = is_damaged or bool(problems)
    sys.exit(1 if is_damaged else 0)


if __name__ == "__main__":
    main()
