"""Merges, digests and projects the rows of a space, as Documentation/SyncFormat.md describes it under "Merge".

A second implementation of the description, with the standard library alone. `sync_witness.py` in Tests/StrongroomSyncTests compares it with
the Swift code step by step.
"""
import hashlib
import struct

NULL = ("null",)
CUT_OFF = 1 << 256
# How far a row came on its way to the app's table.
ABSENT, INCOMPLETE, ORPHAN, RIVAL, WAITING, LOOP, STRANDED, SHOWN = range(8)


# Bytes


def put_number(number):
    """Seven bits a byte, lowest first; the highest bit says that more follow."""
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def put_bytes(content):
    return put_number(len(content)) + content


def put_author(author):
    stamp, run = author
    return struct.pack(">Q", stamp) + run


def put_value(value):
    kind = value[0]
    if kind == "null":
        return b"\x00"
    if kind == "integer":
        return b"\x01" + struct.pack(">q", value[1])
    if kind == "real":
        return b"\x02" + value[1]
    return (b"\x03" if kind == "text" else b"\x04") + put_bytes(value[1])


def put_content(content):
    """A value, or the values of a group: a tuple of pairs of name and value."""
    if content[0] == "group":
        parts = [put_bytes(name) + put_value(value) for name, value in content[1]]
        return b"\x01" + put_number(len(parts)) + b"".join(parts)
    return b"\x00" + put_value(content)


class Reader:
    def __init__(self, content):
        self.content = content
        self.position = 0

    @property
    def is_at_end(self):
        return self.position == len(self.content)

    def take(self, count):
        piece = self.content[self.position:self.position + count]
        if len(piece) != count:
            raise ValueError("the bytes end too early")
        self.position += count
        return piece

    def byte(self):
        return self.take(1)[0]

    def number(self):
        number = shift = 0
        while True:
            byte = self.byte()
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    def counted(self):
        return self.take(self.number())

    def author(self):
        return struct.unpack(">Q", self.take(8))[0], self.take(16)

    def value(self):
        kind = self.byte()
        if kind == 0:
            return NULL
        if kind == 1:
            return "integer", struct.unpack(">q", self.take(8))[0]
        if kind == 2:
            return "real", self.take(8)
        if kind in (3, 4):
            return "text" if kind == 3 else "blob", self.counted()
        raise ValueError("no such kind of value: %d" % kind)

    def content_of_cell(self):
        if self.byte() == 0:
            return self.value()
        return "group", tuple((self.counted(), self.value()) for _ in range(self.number()))


# Order


def value_order(value):
    """SQLite's order, and where SQLite sees no difference, an integer before a real and -0.0 before 0.0."""
    kind = value[0]
    if kind == "null":
        return (0,)
    if kind == "integer":
        return 1, value[1], 0, 0
    if kind == "real":
        real = struct.unpack(">d", value[1])[0]
        # Python compares an int and a float exactly.
        return 1, real, 1, 0 if value[1][0] & 0x80 else 1
    return (2 if kind == "text" else 3), value[1]


def content_order(content):
    if content[0] == "group":
        return 1, tuple((name, value_order(value)) for name, value in content[1])
    return 0, value_order(content)


# Rows


class Row:
    """The merged state of a row, or a part of it: what a change, a batch or a snapshot tells of it."""

    def __init__(self, life):
        self.life = life
        self.birth = None
        self.cells = {}  # field: (author, content)
        self.counters = {}  # (field, run): (count, sum)
        self.extremes = {}  # (field, is maximum): value
        self.batches = {}  # run: number
        self.seen = {}  # field: author
        self.seen_counts = {}  # (field, run): count

    @property
    def is_alive(self):
        return self.life % 2 == 1

    def frame(self):
        """Birth or tombstone as bytes."""
        if self.is_alive:
            return b"\x00" if self.birth is None else b"\x01" + put_author(self.birth)
        batches = [run + put_number(number) for run, number in sorted(self.batches.items())]
        seen = [put_bytes(field) + put_author(author) for field, author in sorted(self.seen.items())]
        counts = [
            put_bytes(field) + run + put_number(count)
            for (field, run), count in sorted(self.seen_counts.items())]
        return b"".join(put_number(len(part)) + b"".join(part) for part in (batches, seen, counts))

    def pieces(self, with_contents=True):
        """The cells, counters and extremes as bytes, each list in order."""
        cells = [
            put_bytes(field) + put_author(author) + (put_content(content) if with_contents else b"")
            for field, (author, content) in sorted(self.cells.items())]
        counters = [
            put_bytes(field) + run + put_number(count) + total.to_bytes(16, "big", signed=True)
            for (field, run), (count, total) in sorted(self.counters.items())]
        extremes = [
            put_bytes(field) + (b"\x01" if is_maximum else b"\x00") + put_value(value)
            for (field, is_maximum), value in sorted(self.extremes.items())]
        return cells, counters, extremes

    def head(self, place):
        table, key = place
        return put_bytes(table) + put_bytes(key) + put_number(self.life)

    def canonical(self, place):
        out = self.head(place) + self.frame()
        if self.is_alive:
            for part in self.pieces():
                out += put_number(len(part)) + b"".join(part)
        return out

    def digest(self, place):
        """The hash of the form without the contents of cells, as a number."""
        out = self.head(place) + self.frame()
        if self.is_alive:
            for part in self.pieces(with_contents=False):
                out += put_number(len(part)) + b"".join(part)
        return int.from_bytes(hashlib.sha256(out).digest(), "big")


def read_rows(content):
    """Reads rows in canonical form: pairs of place and row."""
    reader = Reader(content)
    rows = []
    while not reader.is_at_end:
        place = reader.counted(), reader.counted()
        row = Row(reader.number())
        if row.is_alive:
            row.birth = reader.author() if reader.byte() else None
            for _ in range(reader.number()):
                field = reader.counted()
                row.cells[field] = reader.author(), reader.content_of_cell()
            for _ in range(reader.number()):
                slot = reader.counted(), reader.take(16)
                count = reader.number()
                row.counters[slot] = count, int.from_bytes(reader.take(16), "big", signed=True)
            for _ in range(reader.number()):
                slot = reader.counted(), reader.byte() == 1
                row.extremes[slot] = reader.value()
        else:
            for _ in range(reader.number()):
                run = reader.take(16)
                row.batches[run] = reader.number()
            for _ in range(reader.number()):
                field = reader.counted()
                row.seen[field] = reader.author()
            for _ in range(reader.number()):
                slot = reader.counted(), reader.take(16)
                row.seen_counts[slot] = reader.number()
        rows.append((place, row))
    return rows


# The merge


def later_cell(mine, theirs):
    """Which of two edits of one field holds."""
    def order(cell):
        return cell[0], content_order(cell[1])
    return max(mine, theirs, key=order)


def later_count(mine, theirs):
    return max(mine, theirs)


def greater_value(mine, theirs):
    return max(mine, theirs, key=value_order)


def lesser_value(mine, theirs):
    return min(mine, theirs, key=value_order)


def older_birth(mine, theirs):
    births = [birth for birth in (mine, theirs) if birth is not None]
    return min(births) if births else None


def take_over(mine, theirs, choose):
    for place, entry in theirs.items():
        mine[place] = choose(mine[place], entry) if place in mine else entry


def merge_row(mine, theirs):
    """Both states of a row as one; `mine` may be None."""
    if mine is None or theirs.life > mine.life:
        return theirs
    if theirs.life < mine.life:
        return mine
    row = Row(mine.life)
    row.birth = older_birth(mine.birth, theirs.birth)
    for name in ("cells", "counters", "extremes", "batches", "seen", "seen_counts"):
        getattr(row, name).update(getattr(mine, name))
    take_over(row.cells, theirs.cells, later_cell)
    take_over(row.counters, theirs.counters, later_count)
    for place, value in theirs.extremes.items():
        choose = greater_value if place[1] else lesser_value
        take_over(row.extremes, {place: value}, choose)
    take_over(row.batches, theirs.batches, later_count)
    take_over(row.seen, theirs.seen, later_count)
    take_over(row.seen_counts, theirs.seen_counts, later_count)
    return row


def clear_tombstone(row, passed):
    """The row without the batches that a floor has passed; None if nothing is left."""
    if row.is_alive or not any(passed.get(run, 0) >= number for run, number in row.batches.items()):
        return row
    left = Row(row.life)
    left.seen, left.seen_counts = row.seen, row.seen_counts
    left.batches = {run: n for run, n in row.batches.items() if passed.get(run, 0) < n}
    return left if left.batches else None


class State:
    """The merged state of one device."""

    def __init__(self):
        self.rows = {}
        self.passed = {}
        self.pieces = {}  # place: (row, canonical form, digest): what was computed for that very row

    def copy(self):
        other = State()
        other.rows, other.passed, other.pieces = dict(self.rows), dict(self.passed), dict(self.pieces)
        return other

    def merge(self, rows):
        for place, row in rows:
            cleared = clear_tombstone(row, self.passed)
            if cleared is not None:
                self.rows[place] = merge_row(self.rows.get(place), cleared)

    def replace(self, rows):
        """What a device does with changes that it has not sent, when it begins a new run."""
        self.rows.update(rows)

    def apply_floor(self, passed):
        self.passed = passed
        cleared = {place: clear_tombstone(row, passed) for place, row in self.rows.items()}
        self.rows = {place: row for place, row in cleared.items() if row is not None}

    def computed(self, place):
        row = self.rows[place]
        known = self.pieces.get(place)
        if known is None or known[0] is not row:
            known = row, row.canonical(place), row.digest(place)
            self.pieces[place] = known
        return known

    def canonical(self):
        return b"".join(self.computed(place)[1] for place in sorted(self.rows))

    def digest(self):
        return sum(self.computed(place)[2] for place in self.rows) % CUT_OFF


# The projection


class Table:
    """What the projection knows of a table; `description` is a dictionary as the tests send it."""

    def __init__(self, description):
        self.name = description["name"].encode()
        self.key = description["key"]
        self.columns = description["columns"]  # (name, field, kind, is group, is nullable, absent), the key's first
        self.references = description["references"]  # (columns, parent, action, is needed, default)
        self.uniques = description["uniques"]
        self.acyclic = description["acyclic"]  # None, or (reference, a cut holds the row)


def typed(value):
    """A value of JSON: null, a number, or text."""
    if value is None:
        return NULL
    return ("integer", value) if isinstance(value, int) else ("text", value.encode())


def key_bytes(values):
    """The form of a key: see KeyBytes."""
    out = b""
    for value in values:
        kind = value[0]
        if kind == "null":
            out += b"\x00"
        elif kind == "integer":
            out += b"\x01" + struct.pack(">Q", value[1] + (1 << 63))
        elif kind == "real":
            bits = struct.unpack(">Q", value[1])[0]
            bits = 0 if bits == 1 << 63 else bits
            out += b"\x02" + struct.pack(">Q", bits ^ ((1 << 64) - 1 if bits >> 63 else 1 << 63))
        else:
            out += b"\x03" if kind == "text" else b"\x04"
            out += value[1].replace(b"\x00", b"\x00\x01") + b"\x00\x00"
    return out


def key_values(key):
    """The values of a key."""
    values, reader = [], Reader(key)
    while not reader.is_at_end:
        kind = reader.byte()
        if kind == 0:
            values.append(NULL)
        elif kind == 1:
            values.append(("integer", struct.unpack(">Q", reader.take(8))[0] - (1 << 63)))
        elif kind == 2:
            bits = struct.unpack(">Q", reader.take(8))[0]
            bits ^= 1 << 63 if bits >> 63 else (1 << 64) - 1
            values.append(("real", struct.pack(">Q", bits)))
        else:
            content = b""
            while True:
                byte = reader.take(1)
                if byte == b"\x00" and reader.byte() == 0:
                    break
                content += byte
            values.append(("text" if kind == 3 else "blob", content))
    return values


def merged_value(row, field, column, kind, is_group):
    """The value of a column, or None if nothing was ever written there."""
    if kind == "counter":
        sums = [entry[1] for (name, _), entry in row.counters.items() if name == field]
        return ("integer", sum(sums)) if sums else None
    if kind in ("maximum", "minimum"):
        return row.extremes.get((field, kind == "maximum"))
    content = row.cells[field][1] if field in row.cells else None
    if content is None or (content[0] == "group") != is_group:
        return None
    return dict(content[1]).get(column) if is_group else content


def merged_values(table, place, row):
    """The values of a living row, one for each column; None if a needed one is missing."""
    if row.birth is None:
        return None
    values = key_values(place[1])
    if len(values) != len(table.key):
        return None
    for name, field, kind, is_group, is_nullable, absent in table.columns[len(table.key):]:
        value = merged_value(row, field.encode(), name.encode(), kind, is_group)
        if value is None:
            # The absent value of a column that can be NULL is NULL, if there is no other.
            if absent is None and not is_nullable:
                return None
            value = typed(absent)
        elif value[0] == "integer" and not -(1 << 63) <= value[1] < 1 << 63:
            return None
        elif value == NULL and not is_nullable:
            return None
        values.append(value)
    return values


class Projection:
    """What of a merged state is visible."""

    def __init__(self, tables, rows):
        self.tables = {table.name: table for table in tables}
        self.names = [table.name for table in tables]
        self.rows = rows
        self.levels = {}
        self.values = {}
        self.cut = set()
        for place, row in rows.items():
            if row.is_alive and place[0] in self.tables:
                values = merged_values(self.tables[place[0]], place, row)
                self.levels[place] = INCOMPLETE
                if values is not None:
                    self.values[place] = values
        self.visible = set(self.values)
        self.leave_supported(ORPHAN)
        self.hold_rivals()
        self.leave_supported(WAITING)
        self.cut_loops()
        self.leave_supported(STRANDED)
        for place in self.visible:
            self.levels[place] = SHOWN

    def target(self, place, reference):
        """The row that a foreign key names; None if a column is NULL."""
        values = [self.values[place][column] for column in reference[0]]
        return None if NULL in values else (self.names[reference[1]], key_bytes(values))

    def fallback(self, reference):
        if reference[2] != "setDefault" or None in reference[4]:
            return None
        return self.names[reference[1]], key_bytes([typed(value) for value in reference[4]])

    def is_cut(self, place, index):
        table = self.tables[place[0]]
        return place in self.cut and table.acyclic is not None and index == table.acyclic[0]

    def is_supported(self, place):
        for index, reference in enumerate(self.tables[place[0]].references):
            target = self.target(place, reference)
            if target is None or target in self.visible or self.is_cut(place, index):
                continue
            fallback = self.fallback(reference)
            if reference[3] or (fallback is not None and fallback not in self.visible):
                return False
        return True

    def hold(self, places, level):
        for place in places:
            self.levels[place] = level
        self.visible -= set(places)

    def leave_supported(self, level):
        while True:
            lost = [place for place in self.visible if not self.is_supported(place)]
            if not lost:
                return
            self.hold(lost, level)

    def age(self, place):
        return self.rows[place].birth, place[1]

    def hold_rivals(self):
        lost = set()
        for table in self.tables.values():
            for columns in table.uniques:
                groups = {}
                for place in self.visible:
                    if place[0] != table.name:
                        continue
                    values = tuple(self.values[place][column] for column in columns)
                    if NULL not in values:
                        groups.setdefault(values, []).append(place)
                for group in groups.values():
                    lost.update(sorted(group, key=self.age)[1:])
        self.hold(lost, RIVAL)

    def edge_author(self, place):
        table = self.tables[place[0]]
        row = self.rows[place]
        fields = [table.columns[column][1] for column in table.references[table.acyclic[0]][0]]
        cells = [row.cells[field.encode()][0] for field in fields if field and field.encode() in row.cells]
        return max(cells, default=(0, bytes(16)))

    def newest_edge(self, loop):
        return max(loop, key=lambda place: (self.edge_author(place), place[1]))

    def cut_loops(self):
        for start in list(self.visible):
            path, place = [], start
            while place in self.visible and place not in path:
                path.append(place)
                table = self.tables[place[0]]
                place = table.acyclic and self.target(place, table.references[table.acyclic[0]])
            if place in path:
                self.cut.add(self.newest_edge(path[path.index(place):]))
        self.hold(
            [place for place in self.cut if self.tables[place[0]].acyclic[1]], LOOP)

    def shown(self, place):
        """The values of a visible row, with NULL or a default where a parent is not visible."""
        values = list(self.values[place])
        for index, reference in enumerate(self.tables[place[0]].references):
            target = self.target(place, reference)
            is_cut = self.is_cut(place, index)
            if target is None or (target in self.visible and not is_cut):
                continue
            for position, column in enumerate(reference[0]):
                is_default = reference[2] == "setDefault" and not is_cut
                values[column] = typed(reference[4][position]) if is_default else NULL
        return values

    def canonical(self):
        """All living rows, and the values of those that are visible."""
        out = []
        for place in sorted(self.levels):
            out.append(put_bytes(place[0]) + put_bytes(place[1]))
            out.append(bytes([self.levels[place], place in self.cut]))
            if self.levels[place] == SHOWN:
                out += [put_value(value) for value in self.shown(place)]
        return b"".join(out)
