import StrongroomTables

@DatabaseFunction("typed_next") private func next(_ number: Int) -> Int { number &+ 1 }

private let closure = DatabaseFunction("closure_next", argumentCount: 1) { values in
    Int.fromDatabaseValue(values[0]).map { $0 &+ 1 }
}

private let callCount = 1_000_000

/// Calls the function eight times for each number, so that counting them is the smaller part.
private func sum(_ name: String, _ db: Database) throws -> UInt64 {
    let call = String(repeating: "\(name)(", count: 8) + "x" + String(repeating: ")", count: 8)
    let sql = """
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(callCount / 8))
        SELECT sum(\(call)) FROM n
        """
    return UInt64(try Int.fetchOne(db, sql: sql) ?? 0)
}

/// Calls of a function that a macro makes. The other side is no C, but a closure of Strongroom.
func typedFunctionWorkloads() -> [Workload] {
    [
        Workload(
            name: "typed: call a function", aim: .ratio(1.2), operations: callCount,
            prepare: { database in
                try database.queue.write { db throws in
                    db.add(function: $next)
                    db.add(function: closure)
                }
            },
            library: { database in
                let total = try database.queue.write { try sum("typed_next", $0) }
                return { total }
            },
            c: { database in
                let total = try database.queue.write { try sum("closure_next", $0) }
                return { total }
            })
    ]
}
