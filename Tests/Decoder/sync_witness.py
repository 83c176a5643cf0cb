#!/usr/bin/env python3
"""Does with sync_merge.py what a simulation of the Swift code did, and compares after each step.

    sync_witness.py [MUTANT]

The first line of the input describes tables; each further line is a schedule in JSON. For each, it prints `equal` or the first
difference. A mutant breaks one rule: the differences show that the schedules exercise it.
"""
import hashlib
import json
import sys

import sync_merge
from sync_merge import Projection, State, Table, read_rows


class Difference(Exception):
    pass


def same(mine, theirs, what):
    if mine != theirs:
        raise Difference("%s: %s here, %s there" % (what, mine, theirs))


def follow(schedule, tables):
    devices, kinds = {}, {}
    for number, (what, device, *rest) in enumerate(schedule):
        where = "step %d of %d, device %d" % (number, len(schedule), device)
        if what == "begin":
            devices[device], kinds[device] = State(), tables["old" if rest[0] else "new"]
        elif what == "merge":
            devices[device].merge(read_rows(bytes.fromhex(rest[0])))
        elif what == "replace":
            devices[device].replace(read_rows(bytes.fromhex(rest[0])))
        elif what == "floor":
            devices[device].apply_floor({bytes.fromhex(run): n for run, n in rest[0].items()})
        elif what == "check":
            state = devices[device]
            same("%064x" % state.digest(), rest[0], where + ", digest")
            visible = Projection(kinds[device], state.rows).canonical()
            same(hashlib.sha256(visible).hexdigest(), rest[1], where + ", visible rows")
        elif what == "state":
            canonical = devices[device].canonical()
            same(hashlib.sha256(canonical).hexdigest(), rest[0], where + ", state")


def first(mine, theirs):
    return mine


def last(mine, theirs):
    return theirs


def by_stamp_alone(mine, theirs):
    return mine if mine[0][0] >= theirs[0][0] else theirs


def without_value(mine, theirs):
    return mine if mine[0] >= theirs[0] else theirs


def cells_of_old_lives(mine, theirs):
    """Merges cells without regard to lives."""
    if mine is None:
        return theirs
    row = merge_row(mine, theirs)
    if row.is_alive and mine.life != theirs.life:
        other = mine if row is theirs else theirs
        if other.is_alive:
            sync_merge.take_over(row.cells, other.cells, sync_merge.later_cell)
    return row


def oldest_edge(self, loop):
    return min(loop, key=lambda place: (self.edge_author(place), place[1]))


def young_first(self, place):
    return place[1]


def no_loops(self):
    pass


def all_supported(self, place):
    return True


def without_fallback(self, reference):
    return None


def once(self, level):
    lost = [place for place in self.visible if not self.is_supported(place)]
    self.hold(lost, level)


def no_rivals(self):
    pass


merge_row = sync_merge.merge_row
MUTANTS = {
    "winnerByArrival": lambda: setattr(sync_merge, "later_cell", last),
    "firstEditStays": lambda: setattr(sync_merge, "later_cell", first),
    "tiesByArrival": lambda: setattr(sync_merge, "later_cell", by_stamp_alone),
    "countersByArrival": lambda: setattr(sync_merge, "later_count", first),
    "greatestIsFirst": lambda: setattr(sync_merge, "greater_value", first),
    "leastIsGreatest": lambda: setattr(sync_merge, "lesser_value", sync_merge.greater_value),
    "birthIsLast": lambda: setattr(sync_merge, "older_birth", last),
    "livesMix": lambda: setattr(sync_merge, "merge_row", cells_of_old_lives),
    "floorsIgnored": lambda: setattr(sync_merge, "clear_tombstone", lambda row, passed: row),
    "oldestEdgeCut": lambda: setattr(Projection, "newest_edge", oldest_edge),
    "noLoopsCut": lambda: setattr(Projection, "cut_loops", no_loops),
    "uniqueByKey": lambda: setattr(Projection, "age", young_first),
    "noUnique": lambda: setattr(Projection, "hold_rivals", no_rivals),
    "orphansShown": lambda: setattr(Projection, "is_supported", all_supported),
    "parentsAskedOnce": lambda: setattr(Projection, "leave_supported", once),
    "defaultNeedsNoRow": lambda: setattr(Projection, "fallback", without_fallback),
}


def main():
    if len(sys.argv) > 1:
        MUTANTS[sys.argv[1]]()
    described = json.loads(sys.stdin.readline())
    tables = {name: [Table(table) for table in described[name]] for name in described}
    for line in sys.stdin:
        try:
            follow(json.loads(line), tables)
            print("equal")
        except Difference as difference:
            print(difference)


if __name__ == "__main__":
    main()
