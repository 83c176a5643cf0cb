#!/usr/bin/env python3
"""Runs what rclone reaches on loopback, WebDAV and S3, until its standard input ends.

    servers.py PLACE

What they keep lies in the folder PLACE: that of WebDAV in PLACE/webdav. Prints a line for each, `NAME REMOTE`, where
REMOTE is one of rclone that needs no configuration, or `left out, because it is not installed: …`, and then `ready`.
STRONGROOM_WEED names SeaweedFS's program, if it is not `weed`.
"""
import contextlib
import glob
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

# What SeaweedFS leaves there.
SOCKETS = []


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(('127.0.0.1', 0))
        return [one.getsockname()[1] for one in sockets]


def start(words, log):
    with open(log, 'wb') as file:
        return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=file, stderr=file, start_new_session=True)


def wait(what, is_there, process):
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError):
            is_there()
            return
        time.sleep(0.05)
    raise SystemExit(f'servers: error: {what} does not start')


def webdav(program, place):
    port = free_ports(1)[0]
    os.mkdir(f'{place}/webdav')
    words = [program, 'serve', 'webdav', '--addr', f'127.0.0.1:{port}', '--dir-cache-time', '0', f'{place}/webdav']
    process = start(words, f'{place}/webdav.log')
    wait('WebDAV', lambda: socket.create_connection(('127.0.0.1', port), 1).close(), process)
    return process, f':webdav,vendor=other,url="http://127.0.0.1:{port}":'


def s3(program, place):
    parts = ('master', 'volume', 'filer', 's3')
    ports = free_ports(2 * len(parts))
    words = [program, f'-logdir={place}', 'server', '-ip=127.0.0.1', f'-dir={place}/s3', '-s3']
    for index, part in enumerate(parts):
        words += [f'-{part}.port={ports[2 * index]}', f'-{part}.port.grpc={ports[2 * index + 1]}']
    # Later versions listen on two more ports, which would be the same for all.
    known = subprocess.run([program, 'server', '-h'], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    for name in ('s3.port.iceberg', 's3.port.lance'):
        if f'-{name} ' in known.stdout + known.stderr:
            words.append(f'-{name}=0')
    os.mkdir(f'{place}/s3')
    process = start(words, f'{place}/s3.log')
    address = f'http://127.0.0.1:{ports[6]}'

    def put(name, body):
        request = urllib.request.Request(f'{address}/{name}', data=body, method='PUT')
        urllib.request.urlopen(request, timeout=10).close()

    def make():
        put('strongroom', None)
        put('strongroom/first', b'1')

    wait('S3', make, process)
    SOCKETS.extend(f'/tmp/seaweedfs-*-{port}.sock' for port in ports)
    return process, f':s3,provider=Other,endpoint="{address}":strongroom/'


def main():
    place = sys.argv[1]
    processes = []
    try:
        for name, make, words in (('webdav', webdav, 'rclone'), ('s3', s3, os.environ.get('STRONGROOM_WEED', 'weed'))):
            program = shutil.which(words)
            if program is None:
                print(f'left out, because it is not installed: {name} ({words})')
                continue
            process, remote = make(program, place)
            processes.append(process)
            print(name, remote)
        print('ready', flush=True)
        sys.stdin.buffer.read()
    finally:
        for process in processes:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)
            process.kill()
            process.wait()
        for pattern in SOCKETS:
            for path in glob.glob(pattern):
                os.unlink(path)


main()
