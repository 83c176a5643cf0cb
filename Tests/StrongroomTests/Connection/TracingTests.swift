import Dispatch
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct TracingTests {
    private func traces(
        _ options: Database.TracingOptions = .statement, public isPublic: Bool = false,
        _ text: @escaping (Database.TraceEvent) -> String = { $0.description },
        of body: (Database) throws -> Void
    ) throws -> [String] {
        var configuration = Configuration()
        configuration.publicStatementArguments = isPublic
        var texts: [String] = []
        try DatabaseQueue(configuration: configuration).inDatabase { db in
            db.trace(options: options) { texts.append(text($0)) }
            defer { db.trace() }
            try body(db)
        }
        return texts
    }

    @Test(.proves("TRC-001", "TRC-002"))
    func `A trace begins, is replaced and ends`() throws {
        #expect(Database.TracingOptions.statement.rawValue == 1)
        #expect(Database.TracingOptions.profile.rawValue == 2)
        let collected = Collected()
        try DatabaseQueue().inDatabase { db in
            db.trace { collected.add("1 \($0)") }
            try db.execute(sql: "SELECT 1")
            db.trace(options: [.statement]) { collected.add("2 \($0)") }
            try db.execute(sql: "SELECT 2")
            db.trace()
            try db.execute(sql: "SELECT 3")
            db.trace { collected.add("4 \($0)") }
            db.trace(options: []) { collected.add("5 \($0)") }
            try db.execute(sql: "SELECT 5")
            db.trace { collected.add("6 \($0)") }
            db.trace(options: .profile, nil)
            try db.execute(sql: "SELECT 6")
        }
        #expect(collected.texts == ["1 SELECT 1", "2 SELECT 2"])
    }

    @Test(.proves("CMP-81"))
    func `Statements of a script are told without what surrounds them`() throws {
        let script =
            "\n CREATE TABLE t(a) ;\n\n INSERT INTO t VALUES (';');-- end\n SELECT a FROM t;; "
        let told = try traces { event in
            guard case .statement(let statement) = event else { return "" }
            return [
                statement.sql, statement.expandedSQL, event.description, event.expandedDescription,
            ].joined(separator: "|")
        } of: { db in
            try db.execute(sql: script)
        }
        let statements = [
            "CREATE TABLE t(a)", "INSERT INTO t VALUES (';')", "-- end\n SELECT a FROM t",
        ]
        #expect(told == statements.map { [$0, $0, $0, $0].joined(separator: "|") })
        let profiles = try traces(.profile) { event in
            guard case .profile(let statement, _) = event else { return "" }
            return "\(statement.sql)|\(statement.expandedSQL)"
        } of: { db in
            try db.execute(sql: "\n SELECT 1;")
        }
        #expect(profiles == ["SELECT 1|SELECT 1"])
    }

    @Test(.proves("TRC-003"))
    func `Events tell the statement, and a profile its duration`() throws {
        var kinds: [String] = []
        var isDurationSane = false
        _ = try traces([.statement, .profile]) { event in
            switch event {
            case .statement(let statement):
                kinds.append("start \(statement.sql), \(statement.expandedSQL), \(statement)")
            case .profile(let statement, let duration):
                isDurationSane = (0..<60).contains(duration)
                kinds.append("end \(statement.sql), \(statement.expandedSQL), \(statement)")
            }
            return ""
        } of: { db in
            try db.execute(sql: "SELECT ?", arguments: ["x"])
        }
        #expect(
            kinds == ["start SELECT ?, SELECT 'x', SELECT ?", "end SELECT ?, SELECT 'x', SELECT ?"])
        #expect(isDurationSane)
    }

    @Test(.proves("TRC-004"))
    func `Values show only when they are public, or asked for`() throws {
        let sql = "-- why\nSELECT /* what */ ?"
        func run(_ db: Database) throws { try db.execute(sql: sql, arguments: ["secret"]) }
        let expanded = "-- why\nSELECT /* what */ 'secret'"
        #expect(try traces(of: run) == [sql])
        #expect(try traces(public: true, of: run) == [expanded])
        #expect(try traces(.statement, { $0.expandedDescription }, of: run) == [expanded])
        let profile = try #require(try traces(.profile, of: run).first)
        #expect(profile.wholeMatch(of: #/\d+\.\d\d\ds -- why\nSELECT /\* what \*/ \?/#) != nil)
        let shown = try #require(try traces(.profile, { $0.expandedDescription }, of: run).first)
        #expect(shown.hasSuffix("s \(expanded)"))
    }

    @Test(.proves("TRC-004"))
    func `Statements of triggers come as comments`() throws {
        let trigger = """
            CREATE TABLE t(a); CREATE TABLE log(a);
            CREATE TRIGGER logging AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END
            """
        for isPublic in [false, true] {
            let texts = try traces(public: isPublic) { db in
                try db.execute(sql: trigger)
                try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: ["secret"])
            }
            let insert = isPublic ? "INSERT INTO t VALUES ('secret')" : "INSERT INTO t VALUES (?)"
            let start = try #require(texts.firstIndex(of: insert))
            #expect(texts[(start + 1)...].allSatisfy { $0.hasPrefix("-- ") })
            #expect(texts[(start + 1)...].contains { $0.contains("INSERT INTO log") })
        }
    }

    @Test func `A key never comes out of a trace`() throws {
        let fixture = try FixtureDatabase()
        let collected = Collected()
        let path = fixture.directory.path(of: "other")
        // Only while a connection is prepared, a key may stand in SQL.
        _ = try fixture.open {
            $0.prepareDatabase { db in
                for options in [Database.TracingOptions.statement, .profile] {
                    db.trace(options: options) {
                        collected.add("\($0) \($0.expandedDescription)")
                    }
                    let other = "\(path)-\(options.rawValue).sqlite"
                    try db.execute(sql: "ATTACH ? AS b KEY ?", arguments: [other, "open sesame"])
                    try db.execute(
                        sql: "DETACH b; ATTACH '\(other)' AS b KEY 'open sesame'; DETACH b")
                }
            }
        }
        #expect(!collected.texts.isEmpty)
        #expect(!collected.texts.joined().contains("sesame"))
    }

    @Test(.proves("TRC-005"))
    func `SQLite's error log reaches the function of the moment`() async {
        await #expect(processExitsWith: .success) {
            let (first, second) = (Collected(), Collected())
            struct Unexpected: Error {
                let texts: [String]
            }
            let queue = try DatabaseQueue()
            func fail() { try? queue.inDatabase { try $0.execute(sql: "SELECT nowhere") } }
            fail()
            Database.logError = { code, message in first.add("\(code.rawValue) \(message)") }
            fail()
            Database.logError = { code, message in second.add("\(code.rawValue) \(message)") }
            fail()
            Database.logError = nil
            fail()
            let expected = "1 no such column: nowhere in \"SELECT nowhere\""
            guard first.texts == [expected], second.texts == [expected] else {
                throw Unexpected(texts: first.texts + second.texts)
            }
        }
    }

    @Test(.proves("TRC-006"))
    func `A label names the connection and its queue`() throws {
        var configuration = Configuration()
        configuration.label = "Ledger"
        let queue = try DatabaseQueue(configuration: configuration)
        let description = try queue.read { "\($0)" }
        #expect(description == "Ledger")
        let writer = try #require(Mirror(reflecting: queue).descendant("writer"))
        let dispatchQueue = Mirror(reflecting: writer).descendant("queue") as? DispatchQueue
        #expect(dispatchQueue?.label == "Ledger")
    }
}
