#!/usr/bin/env python3
"""Restores a backup from a repository, as Documentation/BackupFormat.md describes it.

    restore.py REPO NUMBER OUT [VERIFICATION-KEY]

Written from the description alone, with nothing but the standard library. It verifies all hashes
on its way: the chain of the manifests, the tables of the packs, the tree, every page. With a
verification key (64 hexadecimal digits) it verifies the seal of the manifest and the HMAC of every
page too.
"""
import hashlib
import hmac
import json
import os
import struct
import sys

FORMATS = ["strongroom-backup-1", "strongroom-backup-2"]


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def two_lines(data):
    content, seal, rest = data.split(b"\n")
    assert rest == b""
    kind, digest = seal.decode("ascii").split(" ")
    return content, kind, digest


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


class Repository:
    def __init__(self, path):
        self.path = path
        content, kind, digest = two_lines(read(path, "head"))
        assert kind == "sha256" and digest == sha256(content), "head"
        self.head = json.loads(content)
        assert self.head["format"] in FORMATS, self.head["format"]
        if self.head["format"] != FORMATS[0]:
            # Who has signed it is asked by verify.py.
            self.head = json.loads(self.head["content"])
        self.packs = {}

    def manifests(self):
        """All of them, by number, after the chain was verified."""
        names = {}
        for name in os.listdir(os.path.join(self.path, "backups")):
            number, digest = name.removesuffix(".backup").split("-")
            names[int(number)] = (name, digest)
        manifests, previous = {}, None
        for number in range(1, self.head["sequence"] + 1):
            name, digest = names[number]
            data = read(self.path, "backups", name)
            assert sha256(data) == digest, name
            manifest = json.loads(two_lines(data)[0])
            assert manifest["sequence"] == number and manifest.get("previous") == previous
            assert manifest["repository"] == self.head["repository"]
            manifests[number] = (manifest, data)
            previous = digest
        assert self.head.get("manifest") == previous
        return manifests

    def pack(self, number):
        if number not in self.packs:
            names = os.listdir(os.path.join(self.path, "packs"))
            name, = [n for n in names if int(n.split("-")[0]) == number]
            data = read(self.path, "packs", name)
            assert data[:16] == b"strongroom pack\n"
            written, count, offset, end = struct.unpack("<IIQ16s", data[-32:])
            assert written == number and end == b"strongroom end.\n"
            assert len(data) == offset + 48 * count + 32
            assert sha256(data[offset:]) == name.split("-")[1].removesuffix(".pack"), name
            rows = [struct.unpack_from("<32sQII", data, offset + 48 * i) for i in range(count)]
            self.packs[number] = (data, rows)
        return self.packs[number]

    def entry(self, digest, pack, slot, page):
        data, rows = self.pack(pack)
        row_digest, offset, length, row_page = rows[slot]
        assert row_digest == digest and row_page == page and length > 0
        entry = data[offset:offset + length]
        assert hashlib.sha256(entry).digest() == digest
        return entry

    def pages(self, manifest):
        """The pages of a backup, in order: the leaves of a tree with nodes of up to 64."""
        height, reach = 1, 64
        while reach < manifest["pageCount"]:
            height, reach = height + 1, reach * 64
        root = manifest["root"]
        nodes = [(bytes.fromhex(root["sha256"]), root["pack"], root["slot"])]
        for _ in range(height):
            children = []
            for digest, pack, slot in nodes:
                node = self.entry(digest, pack, slot, 0)
                assert len(node) % 40 == 0
                children += struct.iter_unpack("<32sII", node)
            nodes = children
        assert len(nodes) == manifest["pageCount"]
        for number, (digest, pack, slot) in enumerate(nodes, 1):
            page = self.entry(digest, pack, slot, number)
            assert len(page) == manifest["cipher"]["pageSize"]
            yield number, page


def verify_seal(key, manifest, data):
    content, kind, digest = two_lines(data)
    assert kind == "hmac-sha256"

    def derived(purpose):
        return hmac.digest(key, purpose, "sha256")

    identifier = derived(b"strongroom-backup-1 key identifier").hex()[:32]
    assert manifest["key"] == identifier, "another key"
    seal = hmac.new(derived(b"strongroom-backup-1 manifest"), content, "sha256").hexdigest()
    assert seal == digest, "seal"


def verify_page(key, cipher, number, page):
    algorithm = cipher.get("hmacAlgorithm")
    if algorithm is None or page.count(0) == len(page):
        return
    size = hashlib.new(algorithm.lower()).digest_size
    reserve = (16 + size + 15) // 16 * 16
    start = (cipher["plaintextHeaderByteCount"] or 16) if number == 1 else 0
    end = len(page) - reserve + 16
    expected = hmac.digest(key, page[start:end] + struct.pack("<I", number), algorithm.lower())
    assert page[end:end + size] == expected, f"page {number}"


def main(path, number, out, key=None):
    repository = Repository(path)
    manifest, data = repository.manifests()[int(number)]
    if key is not None:
        key = bytes.fromhex(key)
        verify_seal(key, manifest, data)
    with open(out, "xb") as file:
        for number, page in repository.pages(manifest):
            if key is not None:
                verify_page(key, manifest["cipher"], number, page)
            file.write(page)


if __name__ == "__main__":
    main(*sys.argv[1:])
