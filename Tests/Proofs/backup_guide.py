"""Does what Documentation/Backups.md tells people to do, word by word, with the tools that it names.

In a container of this machine, whose changes are thrown away: a service and a timer of systemd, the
line for cron, the copy by rclone, the drill, and what is to be done after a key leaked.
"""
import os
import re
import shutil
import subprocess

GUIDE = os.path.join(os.path.dirname(__file__), "..", "..", "Documentation", "Backups.md")
NEEDED = ("systemd-nspawn", "systemd-analyze", "rclone", "cron", "runuser", "flock", "sqlcipher")

SETUP = r"""
useradd --system shop
mkdir -p /srv/shop /etc/shop /offsite /drill
chown shop /srv/shop /offsite /drill
printf "x'%064d'\n" 5 > /etc/shop/shop.key
chmod 600 /etc/shop/shop.key
sql() {
    printf '.output /dev/null\nPRAGMA key = "%s";\n.output stdout\n%s\n' "$(cat "$1")" "$3" |
        sqlcipher -batch -bail -init /dev/null "$2"
}
refused() { if "$@" 2>/dev/null; then exit 1; fi; }
as_shop() { runuser -u shop -- "$@"; }
count() { as_shop strongroom backup list "$1" --json | grep -c '"id"' || true; }
create="PRAGMA journal_mode = WAL; CREATE TABLE orders (date TEXT);"
sql /etc/shop/shop.key /srv/shop/shop.db "$create INSERT INTO orders VALUES ('2026-11-20');" >/dev/null
chown shop: /srv/shop/*
"""

STEPS = r"""
. /guide/init
systemd-analyze verify shop-backup.service shop-backup.timer
systemctl enable --now shop-backup.timer
systemctl list-timers --all --no-pager | grep '02:30:00.*shop-backup.timer'
systemctl start shop-backup.service
[ "$(count /backup/shop)" = 1 ]
echo "systemd: the timer is set for 02:30, and its service has made and verified a backup"

mv /etc/shop/shop.key /etc/shop/away
refused systemctl start shop-backup.service
systemctl --failed --no-pager | grep shop-backup
mv /etc/shop/away /etc/shop/shop.key
systemctl reset-failed
echo "systemd: a run without its key is a failed service"

chown shop /etc/shop/shop.key
sed 's/^30 2 /* * /' /guide/crontab | crontab -u shop -
cron -f &
for second in $(seq 150); do
    [ "$(count /backup/shop)" -ge 2 ] && break
    sleep 1
done
kill %1
crontab -u shop -r
[ "$(count /backup/shop)" -ge 2 ]
echo "cron: its line has made a backup"

cd /drill
export RCLONE_CONFIG_REMOTE_TYPE=alias RCLONE_CONFIG_REMOTE_REMOTE=/offsite RCLONE_CONFIG=/dev/null
as_shop sh -e /guide/offsite
as_shop strongroom backup verify /offsite/shop --no-key
sql /etc/shop/shop.key /srv/shop/shop.db "INSERT INTO orders VALUES ('2026-11-21');"
as_shop strongroom backup create /srv/shop/shop.db --to /backup/shop --key-file /etc/shop/shop.key
as_shop strongroom backup prune /backup/shop --keep-last 1 --key-file /etc/shop/shop.key
as_shop sh -e /guide/offsite
[ "$(count /offsite/shop)" = 1 ]
[ "$(ls /offsite/shop/packs)" = "$(ls /backup/shop/packs)" ]
cp /etc/shop/shop.key emergency.key
chown shop emergency.key
hash=$(as_shop strongroom backup verify /backup/shop | sed -n 's/^hash //p')
sed "s/HASH-NOTED-LAST-TIME/$hash/" /guide/drill > drill.sh
as_shop sh -e drill.sh | tee drill.out
grep 2026-11-21 drill.out
as_shop strongroom check drill.db --key-file emergency.key
echo "rclone: the copy was verified without a key, brought up to date, and restored in a drill"

for pack in /backup/shop/packs/*; do printf x | dd of="$pack" bs=1 seek=99 conv=notrunc status=none; done
refused as_shop sh -e /guide/offsite
as_shop strongroom backup verify /offsite/shop --no-key
as_shop rclone sync remote:shop /backup/shop --exclude 'lock*'
as_shop strongroom backup verify /backup/shop
echo "rclone: what was changed here did not replace the copy, and came back from it"

cd /srv/shop
mv /etc/shop/shop.key leaked.key
as_shop sh -e /guide/leaked
as_shop sh -e /guide/offsite
refused as_shop strongroom backup restore /offsite/shop old.db --key-file leaked.key
as_shop strongroom backup restore /offsite/shop new.db --key-file new.key
[ "$(count /offsite/shop)" = 2 ]
as_shop strongroom backup verify /offsite/shop --key-file new.key
echo "the leaked key: opens nothing any more, here or in the copy; the new one opens all"
"""

# Said last, when everything before it went well.
DONE = "the guide holds"


def blocks():
    """What is indented in the guide, without the indentation."""
    with open(GUIDE) as file:
        text = file.read()
    found = re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.M)
    return ["\n".join(line[4:] for line in block.strip("\n").splitlines()) + "\n" for block in found]


def the_block(start):
    matching = [block for block in blocks() if block.startswith(start)]
    if len(matching) != 1:
        raise SystemExit(f"{len(matching)} blocks of the guide begin with {start!r}")
    return matching[0]


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def furnish(root, strongroom):
    shutil.copy(strongroom, os.path.join(root, "usr/local/bin/strongroom"))
    units = os.path.join(root, "etc/systemd/system")
    parts = the_block("[Service]"), the_block("[Timer]")
    write(f"{units}/shop-backup.service", parts[0])
    write(f"{units}/shop-backup.timer", parts[1])
    for name, start in (("init", "install -d"), ("crontab", "STRONGROOM_STATE="), ("offsite", "flock "),
                        ("drill", "rclone copy "), ("leaked", "strongroom rotate-key ")):
        write(f"{root}/guide/{name}", the_block(start))
    write(f"{root}/guide/run", f"set -ex -o pipefail\n{SETUP}{STEPS}echo {DONE}\n")
    write(f"{units}/guide.target", "[Unit]\nRequires=basic.target guide.service\nAfter=guide.service\n")
    write(f"{units}/guide.service",
          "[Unit]\nAfter=basic.target\n[Service]\nType=oneshot\n"
          "ExecStart=/bin/bash /guide/run\nExecStopPost=/bin/systemctl poweroff\n"
          "StandardOutput=file:/guide/out\nStandardError=file:/guide/errors\n")


def missing():
    lacking = [tool for tool in NEEDED if shutil.which(tool) is None]
    return (["root"] if os.geteuid() != 0 else []) + lacking


def run(folder, strongroom):
    if missing():
        print("skipped: it needs " + ", ".join(missing()))
        return
    paths = {name: os.path.join(folder, name) for name in ("upper", "work", "root")}
    for path in paths.values():
        os.mkdir(path)
    layers = f"lowerdir=/,upperdir={paths['upper']},workdir={paths['work']}"
    subprocess.run(["mount", "-t", "overlay", "-o", layers, "overlay", paths["root"]], check=True)
    try:
        furnish(paths["root"], strongroom)
        subprocess.run(
            ["systemd-nspawn", "--quiet", "--directory", paths["root"], "--register=no",
             "--keep-unit", "--link-journal=no", "--private-network", "--console=pipe",
             "--capability=CAP_IPC_LOCK", "--boot", "systemd.unit=guide.target"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            timeout=600)
        with open(f"{paths['upper']}/guide/out") as file:
            lines = file.read().splitlines()
        print("\n".join(line for line in lines if re.match("systemd:|cron:|rclone:|the ", line)))
        if not lines or lines[-1] != DONE:
            with open(f"{paths['upper']}/guide/errors") as file:
                raise SystemExit("".join(file.readlines()[-12:]))
    finally:
        subprocess.run(["umount", paths["root"]], check=True)
