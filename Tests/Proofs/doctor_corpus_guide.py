"""More files for `strongroom doctor`, written from the guide alone, by someone who had not read its code.

Versions, settings, damage, logs and journals in other combinations than in doctor_corpus, and what other
programs make of a database: archives, texts, half a transfer.
"""
import base64
import gzip
import os
import shutil
import sqlite3
import tarfile

from doctor_corpus import FILL, KEY, OTHER, PHRASE, SALT, change, flip, put

V3, V2 = ["cipher_compatibility = 3"], ["cipher_compatibility = 2"]
LARGE = ["cipher_page_size = 8192", "cipher_hmac_algorithm = HMAC_SHA256"]
HEADER = ["cipher_plaintext_header_size = 32", f"cipher_salt = \"x'{SALT}'\""]


def size(path):
    return os.path.getsize(path)


def page_of_damage(c):
    """One bad page under each layout, at each place of a page."""
    for name, key, pragmas, bytes_of_page in (
            ("version 3, passphrase", "phrase", V3, 1024),
            ("version 2, passphrase", "phrase", V2, 1024),
            ("early 2.0", "key", V2 + ["cipher_hmac_pgno = be"], 1024),
            ("version 3 with pages of 4096", "phrase", V3 + ["cipher_page_size = 4096"], 4096),
            ("pages of 65536", "key", ["cipher_page_size = 65536"], 65536),
            ("SHA256 and pages of 2048", "key",
             ["cipher_page_size = 2048", "cipher_hmac_algorithm = HMAC_SHA256"], 2048)):
        path = c.make(f"bad page {name}", KEY if key == "key" else PHRASE, pragmas, rows=300)
        change(path, flip(bytes_of_page + 77))
        c.add(f"guide: a flipped bit, {name}", path, "damaged", key=key, pages=[[2, 2]])
    for place, offset in (("HMAC", -30), ("IV", -72), ("first byte", -4096)):
        path = c.make(f"place {place}", rows=200)
        change(path, flip(3 * 4096 + offset))
        c.add(f"guide: a flipped bit in the {place} of a page", path, "damaged", pages=[[3, 3]])
    path = c.make("named iterations", PHRASE, ["kdf_iter = 777"], rows=200)
    change(path, flip(3 * 4096 + 5))
    c.add("guide: a flipped bit, iterations named", path, "damaged", key="phrase",
          options=["--kdf-iterations", "777"], pages=[[4, 4]])
    path = c.make("named iterations cut", PHRASE, ["kdf_iter = 777"], rows=200)
    change(path, lambda old: old[:-4096])
    c.add("guide: cut, iterations named", path, "truncated", key="phrase",
          options=["--kdf-iterations", "777"])


def transfers(c):
    """What goes wrong when files are copied."""
    def add(what, edit, verdicts, *words, pages=None, key=KEY, name="key", options=()):
        path = c.make("transfer " + what, key, rows=200)
        if "--salt-from" in options:
            shutil.copy(path, path + ".copy")
            options = ["--salt-from", path + ".copy"]
        last = size(path) // 4096
        change(path, edit)
        pages = [[pages[0], last]] if pages == [2, "last"] else pages
        c.add("guide: " + what, path, verdicts, *words, pages=pages, key=name, options=options)

    add("all pages but the first destroyed", lambda old: old[:4096] + c.bytes(len(old) - 4096),
        "damaged", pages=[2, "last"])
    add("all but the salt destroyed", lambda old: old[:16] + c.bytes(len(old) - 16), "wrongKey")
    add("a random page behind the end", lambda old: old + c.bytes(4096), "damaged")
    add("the file twice, one behind the other", lambda old: old + old, "damaged")
    add("the first page missing", lambda old: old[4096:], "wrongKey")
    add("the first half missing", lambda old: old[len(old) // 8192 * 4096:], "wrongKey")
    # Without its salt no other page can be authenticated, and a key that may be wrong not be told from it.
    add("page 1 of zeros", put(0, bytes(4096)), "damaged", "--salt-from BACKUP", "all zeros")
    add("page 2 also in the place of page 3", lambda old: old[:8192] + old[4096:8192] + old[12288:],
        "damaged", pages=[[3, 3]])
    add("only page 1 left", lambda old: old[:4096], "truncated")
    add("half of page 1 left", lambda old: old[:2048], ("truncated", "damaged", "wrongKey"))
    add("line ends converted", lambda old: old.replace(b"\n", b"\r\n"),
        ("damaged", "wrongKey", "truncated", "notADatabase"))
    add("the last page damaged, passphrase", lambda old: old[:-100] + bytes(100), "damaged",
        key=PHRASE, name="phrase")
    add("every other page of zeros", lambda old: b"".join(
        old[n:n + 4096] if n // 4096 % 2 == 0 else bytes(4096) for n in range(0, len(old), 4096)),
        "damaged")
    add("the salt overwritten, passphrase", put(0, bytes(16)), ("wrongKey", "damagedSalt"),
        key=PHRASE, name="phrase")
    add("the salt overwritten, passphrase, a copy given", put(0, bytes(16)), "damagedSalt",
        "salvage", key=PHRASE, name="phrase", options=["--salt-from"])
    add("the other key named too", lambda old: old, "sound",
        options=["--old-key-file", c.keys["other"]])
    add("the right key named as the old one", lambda old: old, "wrongKey", "strongroom check",
        name="other", options=["--old-key-file", c.keys["key"]])


def states(c):
    """Sound databases of less usual kinds."""
    for name, sql in (
            ("free pages", "DELETE FROM t WHERE id > 20;"),
            ("a page alone", "DROP TABLE t; VACUUM;"),
            ("auto_vacuum", "PRAGMA auto_vacuum = FULL; VACUUM; DELETE FROM t WHERE id % 2;"),
            ("an index, a view and a trigger", "CREATE INDEX i ON t(a); CREATE VIEW v AS SELECT 1; "
             "CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM t WHERE id = new.id; END;"),
            ("a full-text index", "CREATE VIRTUAL TABLE f USING fts5(a); "
             "INSERT INTO f SELECT a FROM t;"),
            ("overflow pages", "INSERT INTO t(a) VALUES (zeroblob(100000));"),
            ("a write-ahead log, closed", "PRAGMA journal_mode = WAL;")):
        c.add("guide: " + name, c.make(name, rows=200, sql=sql), "sound")
    path = c.make("utf16", settings=["encoding = 'UTF-16be'"])
    c.add("guide: UTF-16", path, "sound")
    path = c.make("iterations 600000", PHRASE, ["kdf_iter = 600000"])
    c.add("guide: 600000 iterations", path, "otherSettings", "--kdf-iterations 600000", key="phrase")
    path = c.make("version 3 named", PHRASE, V3)
    c.add("guide: version 3, named", path, ("sound", "otherSettings"), key="phrase",
          options=["--compatibility", "3"])
    path = c.make("version 4 named as 3", PHRASE)
    c.add("guide: version 4, called 3", path, ("sound", "otherSettings"), key="phrase",
          options=["--compatibility", "3"])
    path = c.make("no HMAC named", settings=["cipher_use_hmac = OFF"])
    c.add("guide: no HMAC, named", path, ("sound", "otherSettings"), options=["--hmac", "none"])


def headers(c):
    key = KEY[:-1] + SALT + "'"

    def made(name, of=key):
        return c.make("header " + name, of, HEADER if of == PHRASE else HEADER[:1], rows=200)

    salt = ["--salt", SALT]
    path = made("damaged", PHRASE)
    change(path, flip(2 * 4096 + 9))
    c.add("guide: a header, damaged", path, "damaged", key="phrase", options=salt, pages=[[3, 3]])
    path = made("cut")
    change(path, lambda old: old[:-4096])
    c.add("guide: a header, cut", path, "truncated", key="header")
    c.add("guide: a header, another salt", made("salt", PHRASE), "wrongKey", key="phrase",
          options=["--salt", "0b" * 16])
    c.add("guide: a header, another key", made("other"), "wrongKey", key="other", options=salt)
    path = made("zeros in the header", PHRASE)
    change(path, put(0, bytes(32)))
    c.add("guide: a header of zeros", path, ("damaged", "otherSettings", "sound"), key="phrase",
          options=salt)


def logs(c):
    for name, key, pragmas, bytes_of_page, verdict in (
            ("version 3, passphrase", "phrase", V3, 1024, "otherSettings"),
            ("version 2", "key", V2, 1024, "otherSettings"),
            ("pages of 8192", "key", LARGE, 8192, "otherSettings"),
            ("passphrase", "phrase", [], 4096, "sound")):
        text = KEY if key == "key" else PHRASE
        c.add(f"guide: a log, {name}", c.log(f"log {name}", pragmas, text), verdict, key=key)
        path = c.log(f"flipped {name}", pragmas, text)
        change(path + "-wal", flip(32 + 24 + bytes_of_page // 2))
        c.add(f"guide: a flipped bit in the log, {name}", path, "foreignLog", key=key)
    path = c.log("header alone")
    change(path + "-wal", lambda old: old[:32])
    c.add("guide: a log without frames", path, "sound")
    path = c.log("page 1 in the log")
    change(path, flip(200))
    c.add("guide: a bad page 1 that the log has again", path, "sound")
    path = c.log("another page")
    change(path, flip(3 * 4096 + 200))
    c.add("guide: a bad page that the log does not have", path, "damaged", pages=[[4, 4]])
    for start in (True, False):
        path = c.path(f"rekey in the log {start}")
        work = path + ".work"
        c.shell(work, KEY, [], "CREATE TABLE t(id INTEGER PRIMARY KEY, a); " + FILL.format(40)
                + f"PRAGMA journal_mode = WAL; PRAGMA rekey = \"{OTHER}\"; INSERT INTO t(a) VALUES (1);"
                + f"\n.system cp '{work}' '{path}' && cp '{work}-wal' '{path}-wal'\n")
        c.add("guide: a change of key in the log, " + ("the new key" if start else "the old key"),
              path, "sound" if start else ("foreignLog", "wrongKey"),
              *([] if start else ["-wal"]), key="other" if start else "key")


def journals(c):
    for name, key, pragmas, verdict in (("version 3, passphrase", "phrase", V3, "otherSettings"),
                                        ("pages of 8192", "key", LARGE, "otherSettings"),
                                        ("passphrase", "phrase", [], "sound")):
        path = c.journal(f"journal {name}", pragmas, KEY if key == "key" else PHRASE)
        c.add(f"guide: a hot journal, {name}", path, verdict, "plays", key=key)
    for name, edit in (("an empty journal", lambda old: b""),
                       ("a journal that is done with", lambda old: bytes(28) + old[28:])):
        path = c.make(name)
        other = c.journal(name + " work")
        shutil.copy(other + "-journal", path + "-journal")
        change(path + "-journal", edit)
        c.add("guide: " + name, path, "sound")


def strangers(c):
    """What is no database, or is one in a parcel."""
    database = c.make("parcel", rows=100)
    with open(database, "rb") as file:
        content = file.read()

    def add(name, content, verdicts, *words, key="key"):
        path = c.path(name)
        with open(path, "wb") as file:
            file.write(content)
        c.add("guide: " + name, path, verdicts, *words, key=key)

    add("an encrypted database in base64", base64.encodebytes(content), "notADatabase")
    add("an encrypted database in gzip", gzip.compress(content, mtime=0) + b"\0", "notADatabase")
    parcel = c.path("tar")
    with tarfile.open(parcel + ".tar", "w") as archive:
        archive.add(database, "app.db")
    with open(parcel + ".tar", "rb") as file:
        # Its zeros and its database are random enough.
        add("an encrypted database in tar", file.read(), "notADatabase", "tar archives")
    add("an error page", b"<!DOCTYPE html><title>404</title>" + b" " * 8159, "notADatabase")
    add("a text in UTF-16", "all work and no play ".encode("utf-16-le") * 256, "notADatabase")
    photo = b"\xff\xd8\xff\xe0\0\x10JFIF\0" + c.bytes(8192 - 11)
    add("a photo, with a key", photo, "notADatabase", "JPEG pictures")
    add("a photo, without one", photo, "notADatabase", "very likely", key=None)
    plain = c.path("plain")
    with sqlite3.connect(plain) as made:
        made.execute("PRAGMA page_size = 1024")
        made.execute("CREATE TABLE t(a)")
        made.executemany("INSERT INTO t VALUES (?)", [("x" * 200,)] * 300)
    made.close()
    with open(plain, "rb") as file:
        content = file.read()
    add("a plain database of small pages", content, "plaintext", "strongroom encrypt")
    add("a plain database with a byte more", content + b"\n", "plaintext")
    add("a dump", b"BEGIN TRANSACTION;\nCREATE TABLE t(a);\nCOMMIT;\n" * 30, "notADatabase")


PARTS = (page_of_damage, transfers, states, headers, logs, journals, strangers)
