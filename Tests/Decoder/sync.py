#!/usr/bin/env python3
"""Reads the hub of a space in a folder, as Documentation/SyncFormat.md describes it.

    sync.py HUB SPACE --seed-file F | --ticket TEXT
    sync.py --fingerprint TICKET

Written from the description alone, with the standard library and `cryptography`. F holds the 64
hexadecimal digits of a device's seed. Verifies the roster, all batches and all snapshots, decrypts what the device
can read, and prints it as one JSON object: `roster`, `devices`, `epochs`, `batches`, `snapshots`, and `refused`, which
lists the names of objects that do not count, each with the reason. Bytes are printed as {"blob": HEX}, text that is not
UTF-8 as {"text": HEX}, reals as {"real": HEX of 8 bytes}.

Exit status: 0; 2 the command line, or a folder that cannot be read; 22 something was refused.
"""
import argparse
import hashlib
import json
import os
import re
import stat
import struct
import sys

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

PREFIX = "strongroom-sync-1 "
SMALL, LARGE = 1 << 20, 4 << 20
NUMBER_LIMIT = 10**12 - 1
LAST_MOMENT = 7258118400000  # 2200-01-01, in milliseconds
WEEK = 7 * 86400000
LIFE_LIMIT, SUM_LIMIT = 1 << 40, 1 << 96
LETTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


class Refused(Exception):
    """Why an object does not count."""


def require(condition, reason):
    """Refuses unless the condition holds."""
    if not condition:
        raise Refused(reason)


# Primitives.

def sha(*parts):
    """SHA-256."""
    return hashlib.sha256(b"".join(parts)).digest()


def hkdf(key, salt, info):
    """HKDF-SHA256 with an output of 32 bytes."""
    return HKDF(SHA256(), 32, salt, (PREFIX + info).encode()).derive(key)


def unseal(key, sealed, nonce=bytes(12)):
    """What ChaCha20-Poly1305 sealed."""
    try:
        return ChaCha20Poly1305(key).decrypt(nonce, sealed, None)
    except InvalidTag:
        raise Refused("it does not decrypt") from None


def verify(public, signature, message):
    """Refuses a signature that is not right."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        raise Refused("the signature is not right") from None


def agree(private, public):
    """What X25519 gives; none for a public key of no use."""
    try:
        return private.exchange(X25519PublicKey.from_public_bytes(public))
    except ValueError:
        return None


def padme(count):
    """The padded length."""
    if count < 2:
        return count
    exponent = count.bit_length() - 1
    bits = exponent.bit_length()
    if exponent <= bits:
        return count
    step = 1 << (exponent - bits)
    return (count + step - 1) // step * step


def unpad(data):
    """The content of padded content."""
    reader = Reader(data)
    content = reader.take(reader.fixed(4))
    length = len(content) + 4
    require(len(data) in (length, padme(length)) and not any(data[length:]), "wrong padding")
    return content


class Reader:
    """Takes bytes apart."""

    def __init__(self, data):
        self.data, self.offset = data, 0

    @property
    def left(self):
        """How many bytes are left."""
        return len(self.data) - self.offset

    def take(self, count):
        """So many bytes."""
        require(count <= self.left, "it ends too early")
        self.offset += count
        return self.data[self.offset - count:self.offset]

    def rest(self):
        """All that is left."""
        return self.take(self.left)

    def fixed(self, count, signed=False):
        """An integer of a fixed size."""
        return int.from_bytes(self.take(count), "big", signed=signed)

    def number(self, limit=(1 << 64) - 1):
        """A number, or a wide one."""
        value, shift = 0, 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7f) << shift
            require(shift < 133, "a number is too large")
            if byte < 0x80:
                require(byte or not shift, "a number is too long")
                require(value <= limit, "a number is too large")
                return value
            shift += 7

    def signed(self, limit=(1 << 64) - 1):
        """An integer with a sign."""
        value = self.number(limit)
        return value >> 1 if value % 2 == 0 else -(value + 1 >> 1)

    def count(self, size=1):
        """How many things of at least so many bytes follow."""
        count = self.number()
        require(count <= self.left // size, "a count is larger than what follows")
        return count

    def counted(self, limit=None):
        """A number of bytes, and the bytes."""
        count = self.count()
        require(limit is None or count <= limit, "a text is too long")
        return self.take(count)

    def name(self):
        """A name of the wire."""
        data = self.counted(1000)
        try:
            require(data, "an empty name")
            return data.decode()
        except UnicodeDecodeError:
            raise Refused("a name is not UTF-8") from None

    def one_of(self, *choices):
        """A byte that is one of some."""
        byte = self.take(1)[0]
        require(byte in choices, f"a byte that may not be {byte}")
        return byte

    def vector(self):
        """The last batch of each run."""
        vector, last = {}, b""
        for _ in range(self.count(17)):
            run = self.take(16)
            require(run > last or not vector, "the runs are in no order")
            last = run
            vector[run] = self.number(NUMBER_LIMIT)
            require(vector[run], "a vector has a 0")
        return vector

    def end(self):
        """Refuses more bytes."""
        require(self.left == 0, "more bytes than there may be")


def covers(one, other):
    """Whether a vector is as far as another one in every run."""
    return all(one.get(run, 0) >= number for run, number in other.items())


# Keys.

class Identity:
    """The keys of a device."""

    def __init__(self, seed):
        signing = Ed25519PrivateKey.from_private_bytes(hkdf(seed, None, "signing"))
        self.agreement = X25519PrivateKey.from_private_bytes(hkdf(seed, None, "agreement"))
        self.public = b"".join(
            key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
            for key in (signing, self.agreement))
        self.device = device_of(self.public)


def device_of(public):
    """The id of a device with these keys."""
    return sha((PREFIX + "device").encode(), public)[:16]


def is_run_of(run, device):
    """Whether a run is one of a device."""
    return sha((PREFIX + "run").encode(), device, run[:8])[:8] == run[8:]


def object_key(key, purpose, salt, digest):
    """The key of one object."""
    return hkdf(key, salt, f"{purpose} {digest.hex()}")


# The roster.

class Device:
    """What the roster says of a device."""

    def __init__(self, public, added, expires=None):
        self.public, self.added, self.expires = public, added, expires
        self.ended = self.successor = self.last_batches = self.name = None
        self.is_reported = False


class Roster:
    """The chain of entries."""

    def __init__(self, identity):
        self.identity = identity
        self.space, self.time = None, 0
        self.hashes, self.devices, self.keys = [], {}, {}
        self.epochs, self.removals, self.retention = [], [], 30
        self.sealed, self.names, self.checks = {}, [], {}
        self.floor = (0, {}, {})
        self.minimum_version = 0
        self.statements = {}

    def epoch_at(self, position):
        """The epoch at a position, and whether the next one is pending there."""
        known = [(at, epoch) for at, epoch in self.epochs if at <= position]
        if not known:
            return 0, True
        at, epoch = known[-1]
        return epoch, any(at < removal <= position for removal in self.removals)

    def active(self):
        """The devices that have not ended."""
        return sorted(id for id, device in self.devices.items() if device.ended is None)

    def append(self, data):
        """Verifies an entry and takes it over."""
        require(len(data) <= SMALL, "it is too large")
        require(len(data) > 64, "it ends too early")
        content, signature = data[:-64], data[-64:]
        reader = Reader(content)
        require(reader.take(8) == b"SRROST1\0", "it is no entry of a roster")
        space, position = reader.take(32), reader.fixed(8)
        previous, signer = reader.take(32), reader.take(16)
        time, kind = reader.fixed(8, signed=True), reader.take(1)[0]
        require(reader.fixed(4) == reader.left, "the length is not that of the payload")
        require(self.time <= time < LAST_MOMENT, "the time goes back, or is out of range")
        if position == 0:
            require(not self.hashes and kind == 0 and space + previous == bytes(64),
                    "a first entry that is none")
            reader.take(32)
            device = self.read_device(reader, 0, signer, time, True)
            verify(device.public[:32], signature, content)
            self.space = sha(data)
        else:
            require(space == self.space, "another space")
            require(signer in self.devices, "an unknown device")
            verify(self.devices[signer].public[:32], signature, content)
            require(position == len(self.hashes), "another position")
            require(previous == self.hashes[-1], "a fork")
            self.apply(kind, reader, position, signer, time)
        reader.end()
        self.time = time
        self.hashes.append(sha(data))
        self.open_keys()

    def apply(self, kind, reader, position, signer, time):
        """Applies a later entry."""
        author = self.devices[signer]
        if kind == 10:
            require(author.successor and not author.is_reported, "no right")
            author.is_reported = True
            return
        require(author.ended is None, "the device was removed, or its ticket used")
        epoch, is_pending = self.epoch_at(position - 1)
        if author.expires is not None:
            require(kind == 1 and time <= author.expires, "no right, or too late")
        if kind == 4:
            require(epoch, "no epoch")
            self.remove(reader, position)
        elif kind == 5:
            self.new_epoch(reader, position, epoch)
        else:
            require(not is_pending, "the next epoch is missing")
            if kind == 1:
                self.read_device(reader, position, signer, time, False)
            elif kind in (6, 7):
                require(reader.fixed(4) == epoch, "another epoch")
                self.statements[kind] = epoch, reader.take(32), reader.counted(512 << 10)
            elif kind == 8:
                floor = reader.number(), reader.vector(), reader.vector()
                require(floor[0] == self.floor[0] + 1 and covers(floor[2], floor[1])
                        and covers(floor[1], self.floor[1]), "a floor that does not follow")
                self.floor = floor
            elif kind == 9:
                self.retention = reader.fixed(4)
                require(1 <= self.retention <= 36500, "a retention that may not be")
            elif kind == 11:
                version = reader.fixed(4)
                require(version > self.minimum_version, "a lowest version that is not above the last")
                self.minimum_version = version
            else:
                raise Refused(f"an entry of the kind {kind}")

    def read_device(self, reader, position, signer, time, is_first):
        """Adds a device."""
        kind = reader.one_of(*([0] if is_first else [0, 1, 2]))
        public = reader.take(64)
        expires = reader.fixed(8, signed=True) if kind == 1 else None
        replaced = reader.take(16) if kind == 2 else None
        epoch = reader.fixed(4)
        require(epoch == (1 if is_first else self.epoch_at(position - 1)[0]), "another epoch")
        wrap = None if is_first else reader.take(92)
        sealed_name = reader.counted(300)
        device = device_of(public)
        require(device not in self.devices, "a device that there is already")
        probe = X25519PrivateKey.from_private_bytes(bytes([0x40] * 32))
        require(agree(probe, public[32:]) is not None, "a public key of no use")
        if is_first:
            require(device == signer, "the first device does not sign")
        if kind == 1:
            require(time <= expires <= time + WEEK, "a ticket that holds too long")
        author = self.devices.get(signer)
        if author and author.expires is not None:
            require(kind == 2, "no right")
        if kind == 2:
            require(replaced == signer and author.expires is not None, "no right")
            author.ended, author.successor = position, device
        elif not is_first:
            require(len(self.active()) < 1000, "too many devices")
        self.devices[device] = Device(public, position, expires)
        self.names.append((device, epoch, sealed_name))
        if wrap and device == self.identity.device:
            self.sealed.setdefault(epoch, []).append(wrap)
        return self.devices[device]

    def remove(self, reader, position):
        """Removes a device."""
        device = self.devices.get(reader.take(16))
        require(device and device.ended is None, "an unknown device")
        real = [id for id in self.active() if self.devices[id].expires is None]
        require(device.expires is not None or len(real) > 1, "a space without devices")
        device.ended, device.last_batches, last = position, {}, b""
        for _ in range(reader.count(49)):
            run = reader.take(16)
            require(run > last or not device.last_batches, "the runs are in no order")
            last, number = run, reader.number(NUMBER_LIMIT)
            require(number, "a batch 0")
            device.last_batches[run] = number, reader.take(32)
        self.removals.append(position)

    def new_epoch(self, reader, position, epoch):
        """Begins an epoch."""
        number, check = reader.fixed(4), reader.take(32)
        require(number == epoch + 1, "another epoch")
        previous = reader.take(48) if reader.one_of(0, 1) else None
        require(number > 1 or previous is None, "a key before the first")
        wraps = [reader.take(92) for _ in range(reader.count(92))]
        active = self.active()
        require(len(wraps) == len(active), "an epoch that is not for the devices of the space")
        if self.identity.device in active:
            wrap = wraps[active.index(self.identity.device)]
            self.sealed.setdefault(number, []).append(wrap)
        self.checks[number] = check, previous
        self.epochs.append((position, number))

    # What is encrypted.

    def open_keys(self):
        """Opens the space keys of this device."""
        for epoch, wraps in self.sealed.items():
            for wrap in wraps:
                self.insert(epoch, self.unwrap(epoch, wrap))
        self.sealed = {}
        for _, epoch in reversed(self.epochs):
            check, previous = self.checks[epoch]
            if epoch in self.keys and previous and epoch - 1 not in self.keys:
                try:
                    key = hkdf(self.keys[epoch], None, f"previous {epoch - 1}")
                    self.insert(epoch - 1, unseal(key, previous))
                except Refused:
                    pass
        for device, epoch, sealed in self.names:
            if epoch in self.keys and self.devices[device].name is None:
                try:
                    key = hkdf(self.keys[epoch], None, f"name {device.hex()}")
                    self.devices[device].name = unpad(unseal(key, sealed)).decode()
                except (Refused, UnicodeDecodeError):
                    pass

    def unwrap(self, epoch, wrap):
        """The space key in a wrap, or none."""
        shared = agree(self.identity.agreement, wrap[:32])
        if shared is None:
            return None
        info = f"wrap {self.space.hex()} {epoch}"
        try:
            return unseal(hkdf(shared, wrap[:32] + self.identity.public[32:], info),
                          wrap[44:], wrap[32:44])
        except Refused:
            return None

    def insert(self, epoch, key):
        """Takes over a key that is the epoch's."""
        if key and hkdf(key, None, f"check {epoch}") == self.checks[epoch][0]:
            self.keys[epoch] = key

    def statement(self, kind):
        """What was said last of a kind; none if this device cannot read it."""
        if kind not in self.statements or self.statements[kind][0] not in self.keys:
            return None
        epoch, salt, sealed = self.statements[kind]
        return unpad(unseal(object_key(self.keys[epoch], f"statement {kind}", salt, sha()), sealed))


# Objects of devices.

def read_start(magic, data, roster):
    """What batches, heads and manifests have in common, verified."""
    require(len(data) <= SMALL and len(data) > 160, "it is too large, or too small")
    reader = Reader(data[:-64])
    require(reader.take(8) == magic + b"\0", f"it does not begin with {magic.decode()}")
    require(reader.take(32) == roster.space, "another space")
    device, position, entry = reader.take(16), reader.fixed(8), reader.take(32)
    author = roster.devices.get(device)
    require(author, "an unknown device")
    verify(author.public[:32], data[-64:], data[:-64])
    require(author.expires is None, "a provisional device")
    require(position < len(roster.hashes), "a position of the future")
    require(roster.hashes[position] == entry, "another roster")
    require(position >= author.added, "a device that is not in the roster yet")
    require(author.ended is None or position < author.ended, "a device that was removed")
    return reader, device, author, position


def require_epoch(roster, epoch, position):
    """Refuses another epoch than that of a position."""
    expected, is_pending = roster.epoch_at(position)
    require(not is_pending, "the next epoch is missing")
    require(epoch == expected, "another epoch")
    require(epoch in roster.keys, "no key")
    return roster.keys[epoch]


class Run:
    """How far a run is read."""

    def __init__(self):
        self.number, self.hash, self.position = 0, bytes(32), 0
        self.part, self.pending, self.unit = 0, b"", []


def read_batch(data, name, roster, run):
    """A batch, verified and decrypted; the changes of a unit are those of its last batch."""
    reader, device, author, position = read_start(b"SRSYNC1", data, roster)
    run_id, number, previous = reader.take(16), reader.fixed(8), reader.take(32)
    epoch, salt = reader.fixed(4), reader.take(32)
    header = data[:reader.offset]
    require(reader.fixed(4) == reader.left, "the length is not that of the ciphertext")
    require(name == f"log/{device.hex()}-{run_id.hex()}/{number:012}", "it is misplaced")
    require(is_run_of(run_id, device), "the run of another device")
    if author.last_batches is not None:
        last = author.last_batches.get(run_id, (0, b""))
        require(number < last[0] or (number == last[0] and sha(data) == last[1]),
                "a device that was removed")
    key = require_epoch(roster, epoch, position)
    require(number == run.number + 1, "a gap")
    require(previous == run.hash, "it follows another batch")
    require(position >= run.position, "the position goes back")
    body = Reader(unpad(unseal(object_key(key, "batch", salt, sha(header)), reader.rest())))
    require(body.number() == 1, "another version")
    seen, floor, schema = body.vector(), body.number(), body.take(32)
    bits, part = body.one_of(*range(16)), body.number(NUMBER_LIMIT)
    digest = body.take(32) if bits & 4 else None
    tokens = [[body.take(8).hex() for _ in range(body.count(8))] for _ in "am"] if bits & 8 else [[], []]
    require(max(map(len, tokens)) <= 4096 and any(tokens) == bool(bits & 8), "tokens that no unit has")
    require(part == 0 or not bits & 8, "tokens in a later part")
    require(bits & 2 or not bits & 1, "a unit ends within a block")
    require(part < number and seen.get(run_id, 0) == number - 1 - part, "a wrong vector")
    require(part == run.part, "a part in a wrong place")
    run.pending += body.rest()
    require(len(run.pending) <= 64 << 20, "a row is too long")
    if bits & 2:
        run.unit += read_block(run.pending)
        run.pending = b""
    run.number, run.hash, run.position = number, sha(data), position
    run.part = 0 if bits & 1 else part + 1
    changes = None
    if bits & 1:
        changes, run.unit = run.unit, []
    return {
        "device": device.hex(), "run": run_id.hex(), "number": number, "epoch": epoch,
        "position": position, "seen": {key.hex(): value for key, value in seen.items()},
        "floor": floor, "schema": schema.hex(), "digest": digest.hex() if digest else None,
        "part": part, "isLast": bool(bits & 1), "added": tokens[0], "moved": tokens[1], "changes": changes}


def skip_batch(data, name, roster, run):
    """The first batch that is left of a run: what comes before it is in a snapshot, and so is its unit."""
    reader, device, _, position = read_start(b"SRSYNC1", data, roster)
    run_id, number = reader.take(16), reader.fixed(8)
    require(name == f"log/{device.hex()}-{run_id.hex()}/{number:012}", "it is misplaced")
    require(is_run_of(run_id, device), "the run of another device")
    run.number, run.hash, run.position = number, sha(data), position


# Blocks.

def column(reader, count, limit):
    """A column of numbers."""
    if reader.one_of(0, 1) == 0:
        return [reader.number(limit)] * count
    return [reader.number(limit) for _ in range(count)]


def uuid_text(data, is_upper=False):
    """A UUID as text."""
    text = data.hex()
    text = "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
    return (text.upper() if is_upper else text).encode()


UUID = re.compile(rb"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def is_uuid(text):
    """Whether a text is a UUID in one case."""
    return bool(UUID.fullmatch(text) or (UUID.fullmatch(text.lower()) and text == text.upper()))


def value(reader):
    """A value: none, an integer, or a kind and bytes."""
    tag = reader.take(1)[0]
    if tag >= 0x80:
        return tag & 0x7f
    if tag >= 0x40:
        text = reader.take(tag & 0x3f)
        require(not is_uuid(text), "a value in another form")
        return "text", text
    if tag == 0:
        return None
    if tag == 1:
        integer = reader.signed()
        require(not 0 <= integer < 128, "a value in another form")
        return integer
    if tag == 2:
        bits = reader.take(8)
        require(struct.unpack(">d", bits)[0] == struct.unpack(">d", bits)[0], "not a number")
        return "real", bits
    if tag == 3:
        text = reader.counted()
        require(len(text) >= 64, "a value in another form")
        return "text", text
    if tag == 4:
        blob = reader.counted()
        require(len(blob) != 16, "a value in another form")
        return "blob", blob
    if tag == 5:
        return "text", uuid_text(reader.take(16))
    if tag == 6:
        text = uuid_text(reader.take(16), True)
        require(text != text.lower(), "a value in another form")
        return "text", text
    require(tag == 7, "a value of no class")
    return "blob", reader.take(16)


def key_bytes(values):
    """The bytes of a key."""
    data = b""
    for item in values:
        if item is None:
            data += b"\0"
        elif isinstance(item, int):
            data += b"\1" + ((item + (1 << 63)) & (1 << 64) - 1).to_bytes(8, "big")
        elif item[0] == "real":
            bits = int.from_bytes(item[1], "big")
            bits = bits ^ (1 << 63) if bits < 1 << 63 else bits ^ (1 << 64) - 1
            data += b"\2" + bits.to_bytes(8, "big")
        else:
            data += bytes([3 if item[0] == "text" else 4]) + item[1].replace(b"\0", b"\0\1") + b"\0\0"
    return data


class Shape:
    """What rows have in common."""

    def __init__(self, reader, names):
        bits = reader.one_of(*range(8))
        self.is_alive, self.has_birth = bool(bits & 1), bool(bits & 2)
        self.has_one_author = bool(bits & 4)
        require(self.is_alive or not bits, "a shape that no row has")
        self.cells, self.counters, self.extremes = [], [], []
        if not self.is_alive:
            return

        def name():
            require(names, "a name that is not in the list")
            return names[reader.number(len(names) - 1)]

        def pieces():
            count = reader.count()
            require(count <= 4000, "too many columns")
            return range(count)
        for _ in pieces():
            field, count = name(), reader.number(4000)
            self.cells.append((field, [name() for _ in range(count - 1)] if count else None))
        self.counters = [name() for _ in pieces()]
        self.extremes = [(name(), reader.one_of(0, 1)) for _ in pieces()]

    @property
    def author_count(self):
        """How many authors a row has."""
        count = len(self.cells) + self.has_birth
        return min(count, 1) if self.has_one_author else count


def read_block(data):
    """The changes in a block."""
    reader = Reader(data)
    runs = [reader.take(16) for _ in range(reader.count(16))]
    limit = 1 if len(data) > SMALL else 10000
    rows = []
    tables = reader.count(8)
    require(tables <= 1000, "too many tables")
    for _ in range(tables):
        rows += read_table(reader, runs, limit - len(rows))
    reader.end()
    return rows


def read_table(reader, runs, limit):
    """The rows of one table."""
    table = reader.name()
    count = reader.count(2)
    require(count <= 8000, "too many names")
    names = [reader.name() for _ in range(count)]
    shapes = [Shape(reader, names) for _ in range(reader.count())]
    form = reader.one_of(0, 1, 2)
    width = reader.number(4000) if form == 2 else 1
    require(width, "keys without columns")
    count = reader.count()
    require(1 <= count <= limit, "too many rows")
    keys = []
    for _ in range(count):
        if form == 0:
            keys.append(reader.counted())
        elif form == 1:
            keys.append(key_bytes([("text", uuid_text(reader.take(16)))]))
        else:
            keys.append(key_bytes([value(reader) for _ in range(width)]))
    lives = column(reader, count, LIFE_LIMIT)
    require(shapes, "rows have no shape")
    shapes = [shapes[number] for number in column(reader, count, len(shapes) - 1)]

    def run():
        require(runs, "a run that is not in the list")
        return runs[reader.number(len(runs) - 1)]
    authors = read_authors(reader, run, shapes)
    return [
        {"table": table, "key": key.hex(),
         **read_row(reader, run, names, life, shape, own)}
        for key, life, shape, own in zip(keys, lives, shapes, authors)]


def read_authors(reader, run, shapes):
    """The authors of each row: a stamp and a run."""
    is_same = reader.one_of(0, 1) == 0
    common = run() if is_same and any(shape.author_count for shape in shapes) else None
    milliseconds = count = 0
    authors = []
    for shape in shapes:
        own = []
        for _ in range(shape.author_count):
            author = common if is_same else run()
            number = reader.number(1 << 52)
            half = number >> 1
            difference = half >> 1 if half % 2 == 0 else -(half + 1 >> 1)
            expected = count + 1 if difference == 0 else 0
            milliseconds += difference
            count = reader.number(0xffff) if number & 1 else expected
            require(0 <= milliseconds < 1 << 48 and count <= 0xffff, "a stamp is out of range")
            require(not number & 1 or count != expected, "a stamp in another form")
            own.append((milliseconds << 16 | count, author))
        if shape.has_one_author and own:
            own *= len(shape.cells) + shape.has_birth
        authors.append(own)
    return authors


def shown(item):
    """A value as JSON."""
    if item is None or isinstance(item, int):
        return item
    kind, data = item
    if kind == "text":
        try:
            return data.decode()
        except UnicodeDecodeError:
            pass
    return {kind: data.hex()}


def author_text(author):
    """An author as JSON."""
    require(author[0] < LAST_MOMENT << 16, "a stamp beyond the year 2200")
    return [author[0], author[1].hex()]


def is_strict(items):
    """Whether no item is there twice."""
    return len(items) == len(set(items))


def read_row(reader, run, names, life, shape, authors):
    """The state of one row."""
    require(life and (life % 2 == 1) == shape.is_alive, "a life of another shape")
    if not shape.is_alive:
        return {"life": life, **read_tombstone(reader, run, names)}
    row = {"life": life}
    if shape.has_birth:
        row["birth"], authors = author_text(authors[0]), authors[1:]
    require(is_strict([field for field, _ in shape.cells]), "a field twice")
    row["cells"] = {}
    for (field, columns), author in zip(shape.cells, authors):
        if columns is None:
            content = shown(value(reader))
        else:
            require(is_strict(columns) and columns == sorted(columns, key=str.encode),
                    "columns in no order")
            content = {"group": {name: shown(value(reader)) for name in columns}}
        row["cells"][field] = [author_text(author), content]
    counters = []
    for field in shape.counters:
        who, count = run(), reader.number()
        total = reader.signed((1 << 128) - 1)
        require(count and abs(total) < SUM_LIMIT, "a counter out of range")
        counters.append([field, who.hex(), count, total])
    require(is_strict([(c[0], c[1]) for c in counters]), "a counter twice")
    row["counters"] = sorted(counters)
    require(is_strict(shape.extremes), "an extreme twice")
    row["extremes"] = [[field, kind, shown(value(reader))] for field, kind in shape.extremes]
    return row


def read_tombstone(reader, run, names):
    """What is kept of a dead row."""
    def name():
        require(names, "a name that is not in the list")
        return names[reader.number(len(names) - 1)]
    batches = [[run().hex(), reader.number()] for _ in range(reader.count(2))]
    seen = [[name(), [run().hex(), reader.fixed(8)][::-1]] for _ in range(reader.count(10))]
    counts = [[name(), run().hex(), reader.number()] for _ in range(reader.count(3))]
    require(batches and is_strict([batch[0] for batch in batches]), "a tombstone without batches")
    require(is_strict([item[0] for item in seen]), "a field twice")
    require(is_strict([(c[0], c[1]) for c in counts]), "a counter twice")
    return {"batches": sorted(batches), "seen": sorted(seen), "seenCounts": sorted(counts)}


# Snapshots.

def read_manifest(data, name, roster):
    """A manifest, verified and decrypted."""
    reader, device, author, position = read_start(b"SRSNAP1", data, roster)
    epoch, salt = reader.fixed(4), reader.take(32)
    identifier = sha(data[:reader.offset])
    require(name == f"snapshots/{identifier.hex()}/manifest", "it is misplaced")
    require(author.ended is None, "a device that was removed")
    key = require_epoch(roster, epoch, position)
    content = Reader(unpad(unseal(object_key(key, "manifest", salt, identifier), reader.rest())))
    require(content.number() == 1, "another version")
    is_repair = content.one_of(0, 1)
    vector = content.vector()
    tails = {run.hex(): (content.take(32).hex(), content.number(NUMBER_LIMIT)) for run in sorted(vector)}
    floor = content.number(), content.vector(), content.vector()
    require(covers(vector, floor[2]), "a floor that is not covered")
    schema, digest, rows = content.take(32), content.take(32), content.number(NUMBER_LIMIT)
    parts = [(content.take(32), content.number(LARGE)) for _ in range(content.count(33))]
    content.end()
    return {
        "device": device.hex(), "vector": {run.hex(): n for run, n in vector.items()},
        "tails": tails, "isRepair": is_repair, "floor": floor[0], "schema": schema.hex(), "digest": digest.hex(), "rowCount": rows,
    }, parts, key, salt, identifier


def read_snapshot(hub, name, roster):
    """A snapshot with all its rows."""
    snapshot, parts, key, salt, identifier = read_manifest(hub.get(name), name, roster)
    rows, pending = [], b""
    for number, (digest, count) in enumerate(parts):
        data = hub.get(f"snapshots/{identifier.hex()}/{number:012}")
        require(len(data) == count and sha(data) == digest, "a part is another one")
        part = Reader(unpad(unseal(object_key(key, f"part {number}", salt, identifier), data)))
        kind = part.one_of(0, 1, 2)
        if kind == 0:
            require(not pending, "a block goes on elsewhere")
            while part.left:
                rows += read_block(part.counted(SMALL))
            continue
        pending += part.rest()
        require(len(pending) <= 64 << 20, "a row is too long")
        if kind == 2:
            rows += read_block(pending)
            pending = b""
    require(not pending and len(rows) == snapshot["rowCount"], "rows are missing")
    places = [(row["table"].encode(), row["key"]) for row in rows]
    require(all(one < other for one, other in zip(places, places[1:])), "rows in a wrong order")
    return {"id": identifier.hex(), **snapshot, "rows": rows}


# The hub.

class Hub:
    """The objects of a space in a folder."""

    def __init__(self, folder, space):
        self.folder = os.path.join(folder, space)

    def get(self, name):
        """The bytes of an object."""
        limit = LARGE if name.startswith("snapshots/") and not name.endswith("/manifest") else SMALL
        path = os.path.join(self.folder, *name.split("/"))
        try:
            number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
        except OSError as error:
            raise Refused(f"it cannot be read: {error.strerror}") from None
        with open(number, "rb") as stream:
            require(stat.S_ISREG(os.fstat(number).st_mode), "it is no file")
            data = stream.read(limit + 1)
        require(len(data) <= limit, "it is too large")
        return data

    def names(self):
        """The names of all objects."""
        found = []
        for path, _, files in os.walk(self.folder):
            for file in files:
                name = os.path.relpath(os.path.join(path, file), self.folder)
                if re.fullmatch(
                        r"roster/\d{12}|heads/[0-9a-f]{32}|log/[0-9a-f]{32}-[0-9a-f]{32}/\d{12}"
                        r"|snapshots/[0-9a-f]{64}/(manifest|\d{12})", name):
                    found.append(name)
        return sorted(found)


def read_space(hub, roster):
    """Everything that counts, and what was refused."""
    refused, names = {}, hub.names()

    def attempt(name, body):
        try:
            return body()
        except Refused as error:
            refused[name] = str(error)
            return None
    for name in [name for name in names if name.startswith("roster/")]:
        if name != f"roster/{len(roster.hashes):012}":
            refused[name] = "a gap"
            break
        attempt(name, lambda name=name: roster.append(hub.get(name)))
        if name in refused:
            break
    snapshots = [
        attempt(name, lambda: read_snapshot(hub, name, roster))
        for name in names if name.endswith("/manifest")]
    snapshots = [snapshot for snapshot in snapshots if snapshot]
    batches, runs = [], {}
    for name in [name for name in names if name.startswith("log/")]:
        _, writer, number = name.split("/")
        run = runs.setdefault(writer, Run())
        if run.number == 0 and int(number) > 1 and any(
                snapshot["vector"].get(writer[33:], 0) >= int(number) for snapshot in snapshots):
            attempt(name, lambda: skip_batch(hub.get(name), name, roster, run))
            continue
        batch = attempt(name, lambda: read_batch(hub.get(name), name, roster, run))
        if batch:
            batches.append(batch)
    for name in [name for name in names if name.startswith("heads/")]:
        attempt(name, lambda: read_head(hub.get(name), name, roster))
    return batches, snapshots, refused


def read_head(data, name, roster):
    """Verifies the head of a device."""
    reader, device, _, _ = read_start(b"SRHEAD1", data, roster)
    run, number = reader.take(16), reader.fixed(8)
    reader.take(32)
    reader.end()
    require(name == f"heads/{device.hex()}", "it is misplaced")
    require(is_run_of(run, device), "the run of another device")
    require(1 <= number <= NUMBER_LIMIT, "a number out of range")


# Tickets.

def unbech32(text):
    """The bytes of Bech32 with the prefix `srs`."""
    if text == text.upper():
        text = text.lower()
    require(text.startswith("srs1") and all(c in LETTERS for c in text[4:]), "no ticket")
    values = [LETTERS.index(c) for c in text[4:]]
    state = 1
    for item in [*(ord(c) >> 5 for c in "srs"), 0, *(ord(c) & 31 for c in "srs"), *values]:
        top, state = state >> 25, (state & 0x1ffffff) << 5 ^ item
        for bit, row in enumerate((0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3)):
            state ^= row if top >> bit & 1 else 0
    require(state == 1 and len(values) > 6, "a mistyped ticket")
    bits = "".join(f"{item:05b}" for item in values[:-6])
    rest = bits[len(bits) // 8 * 8:]
    require(len(rest) < 5 and "1" not in rest, "a mistyped ticket")
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits) - len(rest), 8))


def read_ticket(text):
    """Seed, space, and the hash of the entry that has added the provisional device."""
    reader = Reader(unbech32(text))
    require(reader.take(1) == b"\1", "a ticket of a later version")
    secret, space = reader.take(16), reader.take(32)
    reader.fixed(8)
    entry = reader.take(32)
    return hkdf(secret, space, "ticket"), space, entry


def fingerprint(text):
    """The twelve digits of a ticket."""
    seed, space, entry = read_ticket(text)
    key = hashlib.scrypt(
        space + entry + Identity(seed).device, salt=(PREFIX + "fingerprint").encode(),
        n=1 << 14, r=8, p=1, maxmem=1 << 26, dklen=32)
    digits = f"{int.from_bytes(key[:8], 'big') % 10**12:012}"
    return f"{digits[:4]} {digits[4:8]} {digits[8:]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hub", nargs="?")
    parser.add_argument("space", nargs="?")
    parser.add_argument("--seed-file")
    parser.add_argument("--ticket")
    parser.add_argument("--fingerprint")
    arguments = parser.parse_args()
    if arguments.fingerprint:
        print(fingerprint(arguments.fingerprint))
        return 0
    if arguments.ticket:
        seed = read_ticket(arguments.ticket)[0]
    else:
        with open(arguments.seed_file, encoding="ascii") as stream:
            seed = bytes.fromhex(stream.read().strip())
    roster = Roster(Identity(seed))
    batches, snapshots, refused = read_space(Hub(arguments.hub, arguments.space), roster)
    if roster.space is None or roster.space.hex() != arguments.space:
        refused["roster/000000000000"] = "it is not the first entry of this space"
    statements = {}
    for kind in (6, 7):
        try:
            content = roster.statement(kind)
            statements[str(kind)] = content.hex() if content is not None else None
        except Refused as error:
            refused[f"statement {kind}"] = str(error)
    print(json.dumps({
        "roster": [digest.hex() for digest in roster.hashes],
        "devices": {
            device.hex(): {"name": item.name, "isProvisional": item.expires is not None,
                           "ended": item.ended}
            for device, item in roster.devices.items()},
        "epochs": sorted(roster.keys), "floor": roster.floor[0], "retention": roster.retention,
        "statements": statements, "batches": batches, "snapshots": snapshots, "refused": refused,
    }, sort_keys=True, separators=(",", ":")))
    return 22 if refused else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, ValueError, TypeError, Refused) as problem:
        print(f"sync.py: {problem}", file=sys.stderr)
        sys.exit(2)
