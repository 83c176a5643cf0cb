/// The prepared statements that a connection keeps for their next use.
///
/// Invariants:
/// 1. A statement lent for a fetch or an execution (`checkOut`) is lent to nobody else until it is
///    given back: the same SQL can run twice at once, on two statements. It stays in its place
///    meanwhile, so that a use costs one look-up.
/// 2. A shared statement (`cachedStatement`) stays in the cache, and every caller gets the same
///    one.
/// 3. There are never more statements of each sort than `capacity`. They take no more memory than
///    `byteLimit`, unless one alone takes more than half of that.
/// 4. Statements that may carry a key are never here (`StatementKind.isReusable`).
/// 5. None was prepared before the connection's schema changed (`SchemaCache.generation`). SQLite
///    prepares anew what no longer holds, but only when it is run, and not for a name that means
///    another table now although the one that it meant is still there.
final class StatementCache {
    // Safety: a connection is used on one executor, and no use of its cache contains another.
    @exclusivity(unchecked) private var lendable: GenerationalCache
    @exclusivity(unchecked) private var shared: GenerationalCache
    @exclusivity(unchecked) private var generation = 0
    private var isClosed = false

    /// What the statements of each sort may take in SQLite's memory.
    static let byteLimit = 8 << 20

    init(capacity: Int) {
        lendable = GenerationalCache(capacity: capacity)
        shared = GenerationalCache(capacity: capacity)
    }

    /// - Parameter generation: That of the schema.
    func checkOut(_ sql: String, _ generation: Int) -> Statement? {
        forget(before: generation)
        guard let statement = lendable.find(sql), !statement.isLent else { return nil }
        statement.isLent = true
        return statement
    }

    /// Takes a statement back, under the SQL that it was checked out or prepared for.
    func checkIn(_ statement: Statement, as sql: String) {
        statement.forgetArguments()
        if statement.isLent {
            statement.isLent = false
        } else if !isClosed, statement.kind.isReusable {
            lendable.insert(statement, sql)
        }
    }

    /// Forgets a shared statement that failed.
    func unshare(_ statement: Statement) {
        guard statement.isShared else { return }
        statement.isShared = false
        shared.removeAll { $0 === statement }
    }

    /// - Parameter generation: That of the schema.
    func sharedStatement(_ sql: String, _ generation: Int) -> Statement? {
        forget(before: generation)
        return shared.find(sql)
    }

    private func forget(before generation: Int) {
        guard self.generation != generation else { return }
        self.generation = generation
        removeAll()
    }

    func share(_ statement: Statement, as sql: String) {
        guard !isClosed, statement.kind.isReusable else { return }
        statement.isShared = true
        shared.insert(statement, sql)
    }

    func removeAll() {
        lendable.removeAll()
        shared.removeAll()
    }

    /// Empties the cache for good.
    func close() {
        isClosed = true
        removeAll()
    }
}

/// A bounded dictionary that forgets what was not used for longest, roughly, in constant time.
///
/// When the young half is full it becomes the old half, and what the old half still held goes. A half
/// is full when it has half as many statements as there may be, or half as many bytes.
private struct GenerationalCache {
    private struct Entry {
        let statement: Statement
        /// What it took when it was prepared.
        let byteCount: Int
    }

    private var young: [String: Entry] = [:]
    private var youngByteCount = 0
    private var old: [String: Entry] = [:]
    /// The one found last, which is young: loops ask for the same again and again, and to compare
    /// two texts costs less than to hash one.
    private var latest: (sql: String, statement: Statement)?
    private let halfCapacity: Int
    private let halfByteLimit = StatementCache.byteLimit / 2

    init(capacity: Int) {
        halfCapacity = max(1, capacity / 2)
    }

    mutating func insert(_ statement: Statement, _ sql: String) {
        insert(Entry(statement: statement, byteCount: statement.handle.byteCount), sql)
    }

    private mutating func insert(_ entry: Entry, _ sql: String) {
        if young.count >= halfCapacity || youngByteCount + entry.byteCount > halfByteLimit {
            old = young
            young.removeAll(keepingCapacity: true)
            youngByteCount = 0
        }
        let replaced = young.updateValue(entry, forKey: sql)
        youngByteCount += entry.byteCount - (replaced?.byteCount ?? 0)
        latest = (sql, entry.statement)
    }

    mutating func find(_ sql: String) -> Statement? {
        if let latest, latest.sql == sql { return latest.statement }
        if let statement = young[sql]?.statement {
            latest = (sql, statement)
            return statement
        }
        guard let entry = old.removeValue(forKey: sql) else { return nil }
        insert(entry, sql)
        return entry.statement
    }

    mutating func removeAll(where isGone: (Statement) -> Bool = { _ in true }) {
        young = young.filter { !isGone($0.value.statement) }
        youngByteCount = young.values.reduce(0) { $0 + $1.byteCount }
        old = old.filter { !isGone($0.value.statement) }
        latest = nil
    }
}
