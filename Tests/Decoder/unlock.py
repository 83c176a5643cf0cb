#!/usr/bin/env python3
"""Opens a database by its keyring, as Documentation/KeyringFormat.md describes it.

    unlock.py KEYRING --passphrase-file F | --key-file F | --identity F | --code TEXT | --seed-hex H
              [--database DB] [--require-vouch] [--identity-of]
    unlock.py KEYRING --list
    unlock.py KEYRING --wrap SLOT

Written from the description alone, with the standard library and `cryptography`. Prints the key
x'…' for the `sqlcipher` shell; to standard error, the slot, whether it is vouched for, and the
pragmas that the shell needs. With a database, its page 1 decides between two generations; without
one, the last counts. `--identity-of` prints the age identity of the slot that the secret fits;
`--list` and `--wrap` (the slot's age file) need no secret. The secret of a `command` slot is what
the command prints: `--seed-hex`.

Exit status: 2 the command line, or a file that cannot be read; 12 a wrong secret; 13 a damaged
keyring; 20 nobody vouches for it, or it is another database's; 21 the database is older than it.
"""
import argparse
import base64
import datetime
import hashlib
import hmac
import json
import os
import re
import stat
import sys
import unicodedata

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

FORMAT = "strongroom-keyring-1"
USAGE, WRONG, DAMAGED, FOREIGN, OLDER = 2, 12, 13, 20, 21
FILE_LIMIT, BLOB_LIMIT, KDF_MEMORY = 1 << 20, 64 << 10, 1 << 30
SEALED_LENGTH = len("x''\n") + 96 + 16
LETTERS, BECH32M = "qpzry9x8gf2tvdw0s3jn54khce6mua7l", 0x2bc830a3
# One X25519 recipient, and a payload of one piece. So all of them have the same length.
AGE = re.compile(
    rb"(age-encryption\.org/v1\n-> X25519 ([A-Za-z0-9+/]{43})\n([A-Za-z0-9+/]{43})\n---)"
    rb" ([A-Za-z0-9+/]{43})\n(.{16})(.{%d})" % SEALED_LENGTH, re.DOTALL)


class Failure(Exception):
    """Why the key is not handed out, with the exit status."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def require(condition, text, status=DAMAGED):
    """Fails unless the condition holds."""
    if not condition:
        raise Failure(status, text)


def read_file(path, limit, part=False):
    """The content of a file that is not longer than the limit, or its first part."""
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as stream:
        require(stat.S_ISREG(os.fstat(stream.fileno()).st_mode), f"{path} is no file", USAGE)
        data = stream.read(limit if part else limit + 1)
    require(len(data) <= limit, f"{path} is longer than {limit} bytes")
    return data


# Primitives.

def hkdf(key, salt, info):
    """HKDF-SHA256 with an output of 32 bytes."""
    return HKDF(SHA256(), 32, salt, info).derive(key)


def unseal(key, data, nonce=bytes(12)):
    """The value that ChaCha20-Poly1305 sealed, or none."""
    try:
        return ChaCha20Poly1305(key).decrypt(nonce, data, None)
    except InvalidTag:
        return None


def signed(public, signature, message):
    """Whether an Ed25519 signature is right."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(
            bytes.fromhex(signature), message)
        return True
    except (InvalidSignature, ValueError):
        return False


def unbase64(text):
    """The bytes of base64; fails unless there is no other way to write them."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise Failure(DAMAGED, "malformed base64") from None
    require(base64.b64encode(data).decode() == text, "malformed base64")
    return data


def bech32(prefix, data, constant=1):
    """The letters of bytes and of Bech32's checksum, without the prefix."""
    bits = "".join(f"{byte:08b}" for byte in data)
    values = [int(bits[i:i + 5].ljust(5, "0"), 2) for i in range(0, len(bits), 5)]
    state = 1
    for value in [*(ord(c) >> 5 for c in prefix), 0, *(ord(c) & 31 for c in prefix), *values,
                  *[0] * 6]:
        top, state = state >> 25, (state & 0x1ffffff) << 5 ^ value
        for bit, row in enumerate((0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3)):
            state ^= row if top >> bit & 1 else 0
    values += [(state ^ constant) >> 5 * (5 - i) & 31 for i in range(6)]
    return "".join(LETTERS[value] for value in values)


def unbech32(prefix, letters, size, constant=1):
    """The bytes behind letters, or none unless these are the letters of so many bytes."""
    if len(letters) != -(-size * 8 // 5) + 6 or not set(letters) <= set(LETTERS):
        return None
    bits = "".join(f"{LETTERS.index(letter):05b}" for letter in letters)[:size * 8]
    data = int(bits, 2).to_bytes(size, "big")
    return data if bech32(prefix, data, constant) == letters else None


# The form. A text is described by an expression, an integer by its bounds, an array by how many
# items there may be and by them, and an object by its members; `?` marks those that are optional.

def conforms(value, form, name="keyring"):
    """Fails unless a value is as described."""
    if callable(form):
        form(value)
    elif isinstance(form, str):
        require(type(value) is str and re.fullmatch(form, value), f"{name} is malformed")
    elif isinstance(form, tuple):
        require(type(value) is int and form[0] <= value <= form[1], f"{name} is out of bounds")
    elif isinstance(form, list):
        low, high, item = form
        require(type(value) is list and low <= len(value) <= high, f"{name}: how many")
        for entry in value:
            conforms(entry, item, name)
    else:
        require(type(value) is dict, f"{name} is no object")
        members = {member.rstrip("?"): member for member in form}
        for member, entry in value.items():
            require(member in members, f"{name} has an unknown member {ascii(member)[:80]}")
            conforms(entry, form[members[member]], f"{name}.{member}")
        for member in form:
            require(member in value or member.endswith("?"), f"{name} has no {member}")


def date(value):
    """A time that exists."""
    conforms(value, r"[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}\.[0-9]{3}Z", "a time")
    try:
        datetime.datetime.strptime(value, "%Y-%m-%dT%H:%M:%S.%fZ")
    except ValueError:
        raise Failure(DAMAGED, "a time does not exist") from None


def cipher_settings(value):
    """SQLCipher's settings, with the bounds of BackupFormat.md."""
    algorithm = "SHA1|SHA256|SHA512"
    conforms(value, {
        "pageSize": (512, 65536), "kdfAlgorithm": algorithm, "kdfIterations": (1, 100_000_000),
        "fastKDFIterations": (1, 1000), "hmacAlgorithm?": algorithm, "hmacSaltMask": (0, 255),
        "plaintextHeaderByteCount": (0, 65536), "salt": "[0-9a-f]{32}"}, "cipher")
    size, header = value["pageSize"], value["plaintextHeaderByteCount"]
    usable = size - reserve(value)
    require(size & size - 1 == 0 and usable >= 480, "pageSize is out of bounds")
    require(header % 16 == 0 and header < usable, "plaintextHeaderByteCount is out of bounds")


def slot_form(value):
    """A slot, which has what its kind needs. `kdf` decides how much memory is taken."""
    conforms(value, {
        "id": "[0-9a-f]{8}", "name": ".{1,64}", "created": date, "recipient?": f"age1[{LETTERS}]+",
        "kind": "passphrase|keyFile|recovery|command|recipient", "blob?": BASE64,
        "vouch?": "[0-9a-f]{64}", "authority?": "[0-9a-f]{64}", "kdf?": {
            "name": "scrypt", "n": (1 << 14, 1 << 20), "r": (8, 8), "p": (1, 4),
            "salt": "[0-9a-f]{32}"}}, "slot")
    kind, kdf = value["kind"], value.get("kdf")
    require(value["name"].isprintable(), "a name has characters that cannot be printed")
    require(bool(kdf) == (kind == "passphrase"), "kdf belongs to passphrase")
    require(not kdf or kdf["n"] & kdf["n"] - 1 == 0, "n is no power of two")
    require(not kdf or 128 * kdf["n"] * kdf["r"] <= KDF_MEMORY, "kdf takes too much memory")
    require(("blob" in value) == (kind == "command"), "blob belongs to command")
    require(len(unbase64(value.get("blob", ""))) <= BLOB_LIMIT, "blob is too long")
    require(kind == "recipient" or "vouch" in value, "a slot has no vouch")
    require(("vouch" in value) == ("authority" in value), "vouch and authority belong together")
    require(kind != "recipient" or "recipient" in value, "a recipient cannot be sealed")
    recipient = value.get("recipient", "age1")[4:]
    require(not recipient or unbech32("age", recipient, 32), "a recipient has a wrong checksum")


BASE64, ID, ANY = "[A-Za-z0-9+/]+={0,2}", "[0-9a-f]{32}", "(?s).*"
PREVIOUS = {"key": ID, "cipher": cipher_settings, "created": date, "retired": date,
            "wrapped": BASE64}
GENERATION = {
    "key": ID, "cipher": cipher_settings, "created": date, "origin": "new|rotated|imported",
    "wraps": lambda value: conforms(value, dict.fromkeys(value, BASE64) if type(value) is dict
                                    else {}, "wraps"),
    "authority": BASE64, "previous": [0, 512, PREVIOUS]}
KEYRING = {
    "format": FORMAT, "keyring": ID, "revision": (1, (1 << 53) - 1), "written": date,
    "authorities": [1, 1024, {"public": "[0-9a-f]{64}", "by?": "[0-9a-f]{128}",
                               "restored?": "[0-9a-f]{32}"}],
    "generations": [1, 2, GENERATION], "slots": [1, 64, slot_form], "events": [0, 100, {
        "time": date, "what": ANY, "user": ANY, "host": ANY, "slot?": ANY, "key?": ANY}]}


def parse(line):
    """The object in the first line, which must be in canonical form, and as described."""
    def once(pairs):
        require(len(dict(pairs)) == len(pairs), "a member occurs twice")
        return dict(pairs)
    try:
        value = json.loads(line.decode("utf-8"), object_pairs_hook=once)
        again = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        require(again.encode("utf-8") == line, "not in canonical form")
    except (ValueError, RecursionError):
        raise Failure(DAMAGED, "no JSON") from None
    conforms(value, KEYRING)
    return value


def read_keyring(path):
    """The keyring in a file, after all that can be verified without a secret."""
    match = re.fullmatch(rb"([^\n]*)\ned25519 ([0-9a-f]{128})\n", read_file(path, FILE_LIMIT))
    require(match, "not two lines, the second of them a signature")
    keyring = parse(match[1])
    verify_authorities(keyring, match[2].decode(), match[1])
    slots, generations = keyring["slots"], keyring["generations"]
    ids = [slot["id"] for slot in slots]
    require(ids == sorted(set(ids)), "slots are not sorted, or one occurs twice")
    names = {unicodedata.normalize("NFC", slot["name"]) for slot in slots}
    require(len(names) == len(slots), "two slots have the same name")
    recipients = [slot["recipient"] for slot in slots if "recipient" in slot]
    require(len(set(recipients)) == len(recipients), "two slots have the same recipient")
    work = sum(slot["kdf"]["n"] * slot["kdf"]["p"] for slot in slots if "kdf" in slot)
    require(work <= 1 << 23, "all passphrases together take too long")
    for generation in generations:
        require(list(generation["wraps"]) == ids, "wraps are for other slots")
        for slot in slots:
            wrap = unbase64(generation["wraps"][slot["id"]])
            require(AGE.fullmatch(wrap) if "recipient" in slot else len(wrap) == SEALED_LENGTH,
                    "a wrap is no age file with one X25519 recipient, or not of a sealed key")
        require(len(unbase64(generation["authority"])) == 32 + 16, "authority")
        for entry in generation["previous"]:
            require(len(unbase64(entry["wrapped"])) == 48 + 16, "previous")
    require(len(keyring["authorities"]) >= len(generations), "an authority is missing")
    if len(generations) == 2:
        first, second = generations
        last = second["previous"][0] if second["previous"] else first
        require(last is not first and first["key"] != second["key"] and
                all(last[name] == first[name] for name in ("key", "cipher")), "two generations")
    return keyring


def verify_authorities(keyring, signature, line):
    """Requires that the keys follow one another, and that the last has signed the file."""
    entries = keyring["authorities"]
    keys = [entry["public"] for entry in entries]
    require(len(set(keys)) == len(keys), "an authority occurs twice")
    require("by" not in entries[0] and "restored" not in entries[0], "the first authority has by")
    for before, entry in zip(keys, entries[1:]):
        last = f"restored {entry['restored']}\n" if "restored" in entry else ""
        message = (f"{FORMAT} authority\n{keyring['keyring']}\n{entry['public']}\n"
                   + last).encode()
        require("by" in entry and signed(before, entry["by"], message), "by of an authority")
    require(signed(keys[-1], signature, line), "the signature")


# Keys.

def reserve(cipher):
    """How many bytes at the end of a page are not SQLite's."""
    name = cipher.get("hmacAlgorithm")
    return -(-(16 + (hashlib.new(name).digest_size if name else 0)) // 16) * 16


def verification_key(key, cipher):
    """The key of the HMACs of pages, of the 48 bytes of a database key."""
    salt = bytes(byte ^ cipher["hmacSaltMask"] for byte in key[32:])
    return hashlib.pbkdf2_hmac(
        cipher["kdfAlgorithm"].lower(), key[:32], salt, cipher["fastKDFIterations"], 32)


def verify_key(key, entry):
    """Requires that a database key is the one of a generation, or of an entry of `previous`."""
    require(key and key[32:].hex() == entry["cipher"]["salt"], "a key is not there, or its salt")
    name = hmac.digest(verification_key(key, entry["cipher"]),
                       b"strongroom-backup-1 key identifier", "sha256")
    require(name.hex()[:32] == entry["key"], "a key has another identifier")


def unseal_derived(keyring, key, label, data):
    """What is sealed under D(label) of a database key."""
    info = f"{FORMAT} {label}".encode()
    return unseal(hkdf(key, bytes.fromhex(keyring["keyring"]), info), unbase64(data))


def retired_key(keyring, key, entry):
    """A retired database key, by the key of the generation that has it in `previous`."""
    retired = unseal_derived(keyring, key, "previous " + entry["key"], entry["wrapped"])
    verify_key(retired, entry)
    return retired


def authenticates(key, cipher, path):
    """Whether a database key authenticates page 1 of a database."""
    name, size = cipher.get("hmacAlgorithm"), cipher["pageSize"]
    require(name, "page 1 has no HMAC, so nothing tells whose it is", FOREIGN)
    page = read_file(path, size, part=True)
    start, end = cipher["plaintextHeaderByteCount"] or 16, size - reserve(cipher) + 16
    value = hmac.digest(verification_key(key, cipher), page[start:end] + b"\1\0\0\0", name.lower())
    return len(page) == size and value == page[end:end + len(value)]


def unwrap_age(identity, wrap):
    """What an age file with one X25519 recipient holds, or none."""
    head, share, body, mac, nonce, payload = AGE.fullmatch(wrap).groups()
    share, body, mac = (unbase64(part.decode() + "=") for part in (share, body, mac))
    private = X25519PrivateKey.from_private_bytes(identity)
    try:
        secret = private.exchange(X25519PublicKey.from_public_bytes(share))
    except ValueError:
        return None
    salt = share + private.public_key().public_bytes_raw()
    file_key = unseal(hkdf(secret, salt, b"age-encryption.org/v1/X25519"), body)
    if file_key is None or hmac.digest(hkdf(file_key, b"", b"header"), head, "sha256") != mac:
        return None
    return unseal(hkdf(file_key, nonce, b"payload"), payload, bytes(11) + b"\1")


class Holder:
    """A slot, and the seed that a secret gives for it."""

    def __init__(self, keyring, slot, seed):
        self.slot, self.seed = slot, seed
        self.salt = bytes.fromhex(keyring["keyring"] + slot["id"])
        self.identity = seed if slot["kind"] == "recipient" else self.derived(slot["kind"])

    def derived(self, label):
        """A key for a purpose of the slot."""
        return hkdf(self.seed, self.salt, f"{FORMAT} {label}".encode())

    def unwrap(self, generation):
        """The database key in the slot's wrap, or none."""
        wrap = unbase64(generation["wraps"][self.slot["id"]])
        text = (unwrap_age(self.identity, wrap) if "recipient" in self.slot
                else unseal(self.derived("sealed " + generation["key"]), wrap))
        match = re.fullmatch(rb"x'([0-9a-f]{96})'\n", text or b"")
        return bytes.fromhex(match[1].decode()) if match else None

    def fits(self, keyring):
        """Whether the secret is the slot's: by its recipient, or by the vouch of a sealed slot."""
        if "recipient" not in self.slot:
            return self.vouched(keyring) is not None
        public = X25519PrivateKey.from_private_bytes(self.identity).public_key().public_bytes_raw()
        return "age1" + bech32("age", public) == self.slot["recipient"]

    def vouched(self, keyring):
        """The number of the authority that the slot's vouch is for, or none if it is wrong."""
        keys = [entry["public"] for entry in keyring["authorities"]]
        if self.slot["authority"] not in keys:
            return None
        text = bytes.fromhex(keyring["keyring"] + self.slot["authority"])
        vouch = hmac.digest(self.derived("vouch"), text, "sha256").hex()
        return keys.index(self.slot["authority"]) if vouch == self.slot["vouch"] else None

    def vouching(self, keyring, index):
        """Whether the slot's holder has vouched for a generation; fails if the vouch is wrong."""
        if "vouch" not in self.slot:
            return "missing"
        number = self.vouched(keyring)
        require(number is not None,
                "the vouch is wrong: nobody who had the key has written this keyring", FOREIGN)
        if self.slot["kind"] == "command":
            return "missing"
        own = len(keyring["authorities"]) - len(keyring["generations"]) + index
        return "present" if number >= own else "earlier"

    def open(self, keyring):
        """The database keys of all generations, after all that they can verify."""
        keys, generations = [], keyring["generations"]
        for generation, authority in zip(generations, keyring["authorities"][-len(generations):]):
            public = authority["public"]
            keys.append(self.unwrap(generation))
            verify_key(keys[-1], generation)
            seed = unseal_derived(
                keyring, keys[-1], "authority " + public, generation["authority"])
            require(seed and Ed25519PrivateKey.from_private_bytes(seed).public_key()
                    .public_bytes_raw().hex() == public, "authority is not that of its key")
        if len(keys) == 2:
            last = retired_key(keyring, keys[1], keyring["generations"][1]["previous"][0])
            require(last == keys[0], "previous does not begin with the first generation's key")
        return keys


def in_force(keyring, keys, database):
    """The index of the generation in force."""
    if database is None:
        return len(keys) - 1
    for index, key in enumerate(keys):
        if authenticates(key, keyring["generations"][index]["cipher"], database):
            return index
    for entry in keyring["generations"][-1]["previous"]:
        require(not authenticates(retired_key(keyring, keys[-1], entry), entry["cipher"], database),
                f"the database is older than the change of its key at {entry['retired']}", OLDER)
    raise Failure(FOREIGN, "the keyring is another database's")


# The command line.

def secret_of(options):
    """The kind of the slots that the given secret opens, and a function from a slot to seeds."""
    if options.passphrase_file:
        data = read_file(options.passphrase_file, FILE_LIMIT).removesuffix(b"\n")
        return "passphrase", lambda slot: [hashlib.scrypt(
            data, salt=bytes.fromhex(slot["kdf"]["salt"]), n=slot["kdf"]["n"], r=slot["kdf"]["r"],
            p=slot["kdf"]["p"], maxmem=KDF_MEMORY + (1 << 20), dklen=32)]
    if options.key_file:
        match = re.fullmatch(rb"x'([0-9a-fA-F]{64})'\n?", read_file(options.key_file, FILE_LIMIT))
        kind, seeds = "keyFile", [match and bytes.fromhex(match[1].decode())]
    elif options.identity:
        words = read_file(options.identity, FILE_LIMIT).decode("utf-8", "replace").split()
        found = [word[16:].lower() for word in words if word.startswith("AGE-SECRET-KEY-1")]
        kind, seeds = "recipient", [unbech32("age-secret-key-", word, 32) for word in found]
    elif options.code:
        code = re.sub("[ -]", "", options.code).lower().translate(str.maketrans("oi1b", "0ll8"))
        kind, seeds = "recovery", [unbech32("srr", code, 16, BECH32M)]
    else:
        match = re.fullmatch("[0-9a-f]{64}", options.seed_hex)
        kind, seeds = "command", [match and bytes.fromhex(match[0])]
    require(seeds and all(seeds), f"this is no secret of kind {kind}", WRONG)
    return kind, lambda slot: seeds


def find_holder(keyring, kind, seeds):
    """The slot that the secret fits."""
    for slot in keyring["slots"]:
        if slot["kind"] == kind:
            for holder in (Holder(keyring, slot, seed) for seed in seeds(slot)):
                if holder.fits(keyring):
                    return holder
    raise Failure(WRONG, f"the secret fits no slot of kind {kind}")


def pragmas(cipher):
    """What the `sqlcipher` shell needs beside the key, for settings other than SQLCipher 4's."""
    name = cipher.get("hmacAlgorithm")
    lines = [
        ("cipher_page_size", cipher["pageSize"], 4096),
        ("cipher_kdf_algorithm", "PBKDF2_HMAC_" + cipher["kdfAlgorithm"], "PBKDF2_HMAC_SHA512"),
        ("fast_kdf_iter", cipher["fastKDFIterations"], 2),
        ("cipher_hmac_salt_mask", f"\"x'{cipher['hmacSaltMask']:02x}'\"", "\"x'3a'\""),
        ("cipher_plaintext_header_size", cipher["plaintextHeaderByteCount"], 0),
        ("cipher_hmac_algorithm", f"HMAC_{name or 'SHA512'}", "HMAC_SHA512"),
        ("cipher_use_hmac", "ON" if name else "OFF", "ON")]
    return [f"PRAGMA {pragma} = {value};" for pragma, value, usual in lines if value != usual]


def show(keyring):
    """Prints what can be told without a secret."""
    print(f"keyring {keyring['keyring']}, revision {keyring['revision']}, {keyring['written']}")
    for entry in keyring["authorities"]:
        print("authority", entry["public"], *["restored"] * ("restored" in entry))
    for entry in keyring["generations"]:
        print("generation", entry["key"], entry["origin"], entry["created"],
              f"({len(entry['previous'])} before it)")
    for entry in keyring["slots"]:
        print("slot", entry["id"], entry["kind"], entry["created"], ascii(entry["name"]),
              entry.get("recipient", "sealed"), "vouch" if "vouch" in entry else "no vouch")
    for entry in keyring["events"]:
        names = [name for name in ("time", "what", "user", "host", "slot", "key") if name in entry]
        print("event", *(ascii(entry[name])[1:-1] for name in names))


def run(options):
    """Does what the command line says."""
    keyring = read_keyring(options.keyring)
    if options.list:
        show(keyring)
        return
    if options.wrap:
        slots = [slot for slot in keyring["slots"] if options.wrap in (slot["id"], slot["name"])]
        require(len(slots) == 1, "no such slot, or two", USAGE)
        require("recipient" in slots[0], "a sealed slot has no age file", USAGE)
        wrap = keyring["generations"][-1]["wraps"][slots[0]["id"]]
        sys.stdout.buffer.write(unbase64(wrap))
        return
    holder = find_holder(keyring, *secret_of(options))
    holder.vouching(keyring, 0)
    keys, slot = holder.open(keyring), holder.slot
    index = in_force(keyring, keys, None if options.identity_of else options.database)
    vouching = holder.vouching(keyring, index)
    print(f"slot {slot['id']} {slot['kind']} {ascii(slot['name'])}, vouch: {vouching}",
          file=sys.stderr)
    require(vouching == "present" or not options.require_vouch, "a vouch is required", FOREIGN)
    if options.identity_of:
        print("AGE-SECRET-KEY-1" + bech32("age-secret-key-", holder.identity).upper())
        return
    for pragma in pragmas(keyring["generations"][index]["cipher"]):
        print(pragma, file=sys.stderr)
    print(f"x'{keys[index].hex()}'")


def main():
    """Understands the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("keyring")
    what = parser.add_mutually_exclusive_group(required=True)
    for name in ("passphrase-file", "key-file", "identity", "code", "seed-hex", "wrap"):
        what.add_argument("--" + name)
    what.add_argument("--list", action="store_true")
    parser.add_argument("--database")
    for name in ("require-vouch", "identity-of"):
        parser.add_argument("--" + name, action="store_true")
    try:
        run(parser.parse_args())
    except (Failure, OSError) as failure:
        print(f"unlock.py: {ascii(str(failure))[1:-1]}", file=sys.stderr)
        sys.exit(getattr(failure, "status", USAGE))


if __name__ == "__main__":
    main()
