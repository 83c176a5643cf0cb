#!/usr/bin/env python3
"""Stands between a client of SFTP and a server, and spoils one packet.

    proxy.py FAULT NUMBER MARK PROGRAM [ARGUMENT...]

The NUMBERth packet to which the fault applies is spoiled, once: the file MARK says that it was. FAULT is one of
the names below; `none-reads-noted` spoils nothing, and writes handles and offsets of reads to MARK. What comes before and after passes as it is.
"""
import os
import struct
import subprocess
import sys
import threading
import time

OPEN, CLOSE, READ, WRITE, LSTAT, OPENDIR, READDIR = 3, 4, 5, 6, 7, 11, 12
REMOVE, MKDIR, REALPATH, RENAME, EXTENDED = 13, 14, 16, 18, 200
STATUS, HANDLE, DATA, NAME, ATTRS, VERSION = 101, 102, 103, 104, 105, 2


def status(number, code, words):
    body = struct.pack('>BII', STATUS, number, code)
    for text in (words, b''):
        body += struct.pack('>I', len(text)) + text
    return body


# What a fault applies to: kinds of requests (None: of all), and whether the request is still carried out.
REQUESTS = {
    'cut-before-request': None, 'cut-within-request': None,
    'disk-full': (WRITE,), 'rights-withdrawn': (OPEN,), 'rights-to-write-withdrawn': (WRITE,),
    'failure-to-rename': (RENAME, EXTENDED), 'failure-to-close': (CLOSE,),
}
# The same of answers to requests.
ANSWERS = {
    'cut-before-answer': None, 'cut-within-length': None, 'cut-within-answer': None, 'cut-after-answer': None,
    'write-answer-lost': (WRITE,), 'open-answer-lost': (OPEN,), 'rename-answer-lost': (RENAME, EXTENDED),
    'remove-answer-lost': (REMOVE,), 'mkdir-answer-lost': (MKDIR,), 'close-answer-lost': (CLOSE,),
    'answer-doubled': None, 'answer-to-no-request': None, 'length-too-large': None, 'length-zero': None,
    'answer-of-another-kind': (OPEN, READ, LSTAT), 'answer-cut-short': (OPEN, READ, LSTAT, READDIR),
    'data-too-long': (READ,), 'data-short': (READ,), 'data-changed': (READ,), 'names-that-lead-elsewhere': (READDIR,),
    'text-of-a-login-script': None, 'slow': None, 'stalled': None,
}


class Proxy:
    def __init__(self, fault, number, mark, words):
        self.fault, self.left, self.mark = fault, int(number), mark
        self.server = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.kinds = {}
        self.lock = threading.Lock()
        # rclone runs on this machine, and has ended before its caller goes on; a host may still be at work.
        self.is_near = 'serve' in words

    def end(self):
        if self.is_near:
            self.server.stdin.close()
            self.server.wait()
        os._exit(0)

    def applies(self, table, kind):
        """Whether this packet is the one; then it is so only once."""
        if self.fault not in table or os.path.exists(self.mark):
            return False
        if table[self.fault] is not None and kind not in table[self.fault]:
            return False
        self.left -= 1
        if self.left > 0:
            return False
        with open(self.mark, 'w'):
            return True

    @staticmethod
    def packet(stream):
        head = stream.read(4)
        if len(head) < 4:
            return None
        body = stream.read(struct.unpack('>I', head)[0])
        return body

    @staticmethod
    def send(stream, body):
        stream.write(struct.pack('>I', len(body)) + body)
        stream.flush()

    def requests(self):
        while (body := self.packet(sys.stdin.buffer)) is not None:
            kind = body[0]
            number = struct.unpack('>I', body[1:5])[0]
            self.kinds[number] = kind
            if self.fault == 'none-reads-noted' and kind == READ:
                length = struct.unpack('>I', body[5:9])[0]
                offset = struct.unpack('>Q', body[9 + length:17 + length])[0]
                with open(self.mark, 'a', encoding='ascii') as file:
                    file.write(f'{body[9:9 + length].hex()} {offset}\n')
            if kind != 1 and self.applies(REQUESTS, kind):
                if not self.spoil_request(body, number):
                    continue
            self.send(self.server.stdin, body)
        self.server.stdin.close()

    def spoil_request(self, body, number):
        """Whether the request is still to be sent."""
        if self.fault == 'cut-before-request':
            self.end()
        if self.fault == 'cut-within-request':
            self.server.stdin.write(struct.pack('>I', len(body)) + body[:len(body) // 2])
            self.server.stdin.flush()
            self.server.stdin.close()
            self.server.wait()
            self.end()
        code, words = (3, b'Permission denied') if 'rights' in self.fault else (4, b'Failure')
        with self.lock:
            self.send(sys.stdout.buffer, status(number, code, words))
        return False

    def answers(self):
        out = sys.stdout.buffer
        while (body := self.packet(self.server.stdout)) is not None:
            number = struct.unpack('>I', body[1:5])[0]
            kind = self.kinds.get(number)
            with self.lock:
                if self.fault == 'slow':
                    for byte in struct.pack('>I', len(body)) + body[:40]:
                        out.write(bytes([byte]))
                        out.flush()
                    out.write(body[40:])
                    out.flush()
                elif body[0] != VERSION and self.applies(ANSWERS, kind):
                    self.spoil_answer(body, number)
                else:
                    self.send(out, body)
        self.end()

    def spoil_answer(self, body, number):
        out, fault = sys.stdout.buffer, self.fault
        whole = struct.pack('>I', len(body)) + body
        if fault == 'stalled':
            time.sleep(3600)
        if fault == 'cut-before-answer' or fault.endswith('-answer-lost'):
            self.end()
        if fault in ('cut-within-length', 'cut-within-answer', 'cut-after-answer'):
            count = {'cut-within-length': 3, 'cut-within-answer': 4 + len(body) // 2}.get(fault, len(whole))
            out.write(whole[:count])
            out.flush()
            self.end()
        if fault == 'answer-doubled':
            self.send(out, body)
        if fault == 'answer-to-no-request':
            body = body[:1] + struct.pack('>I', 0xFFFFFFF0) + body[5:]
        if fault == 'answer-of-another-kind':
            body = bytes([NAME]) + body[1:]
        if fault == 'answer-cut-short':
            body = body[:7]
        if fault in ('data-too-long', 'data-short', 'data-changed') and body[0] == DATA:
            data = body[9:]
            data = {'data-too-long': data * 2 + b'x' * 40000, 'data-short': data[:max(1, len(data) // 3)],
                    'data-changed': bytes(255 - byte for byte in data)}[fault]
            body = body[:5] + struct.pack('>I', len(data)) + data
        if fault == 'names-that-lead-elsewhere':
            names = [b'..', b'../../head', b'/etc/passwd', b'', b'a\0b']
            body = struct.pack('>BII', NAME, number, len(names))
            for name in names:
                body += struct.pack('>I', len(name)) + name + struct.pack('>II', 0, 0)
        if fault == 'length-too-large':
            out.write(b'\xff\xff\xff\xf0')
        if fault == 'length-zero':
            out.write(b'\0\0\0\0')
        if fault == 'text-of-a-login-script':
            out.write(b'Welcome to the host!\n')
        self.send(out, body)


def main():
    if sys.argv[1:] == ['--list']:
        print('\n'.join(list(REQUESTS) + list(ANSWERS)))
        return
    proxy = Proxy(*sys.argv[1:4], sys.argv[4:])
    threading.Thread(target=proxy.requests, daemon=True).start()
    try:
        proxy.answers()
    except BrokenPipeError:
        proxy.end()


main()
