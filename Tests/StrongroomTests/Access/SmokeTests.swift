import Foundation
import Strongroom
import Testing

@Suite struct SmokeTests {
    @Test func everything() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appendingPathComponent("db.sqlite").path
        var config = Configuration()
        config.prepareDatabase { try $0.usePassphrase("secret") }
        do {
            let queue = try DatabaseQueue(path: path, configuration: config)
            try queue.write { db in
                try db.execute(sql: "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, at TEXT)")
                try db.execute(
                    sql: "INSERT INTO t VALUES (?, ?, ?)", arguments: [1, "Arthur", Date(timeIntervalSince1970: 0)])
                try db.execute(
                    sql: "INSERT INTO t VALUES (:id, :name, NULL)", arguments: ["id": 2, "name": "Barbara"])
            }
            let rows = try queue.read { try Row.fetchAll($0, sql: "SELECT * FROM t ORDER BY id") }
            #expect(rows.map(\.description) == [
                #"[id:1 name:"Arthur" at:"1970-01-01 00:00:00.000"]"#, #"[id:2 name:"Barbara" at:NULL]"#])
            let names = try queue.read { db in
                var kept: [Row] = []
                let cursor = try Row.fetchCursor(db, sql: "SELECT * FROM t ORDER BY id")
                while let row = try cursor.next() { kept.append(row) }
                return kept.map { $0["NAME"] as String }
            }
            #expect(names == ["Arthur", "Barbara"])
            #expect(throws: DatabaseError.self) {
                try queue.read { try $0.execute(sql: "DELETE FROM t") }
            }
            try queue.write { try $0.changePassphrase("new") }
            #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t") } == 2)
            try queue.write { try $0.execute(sql: "DELETE FROM t WHERE id = 1") }
        }
        do {
            _ = try DatabaseQueue(path: path, configuration: config)
            Issue.record("opened with the old key")
        } catch {
            print(error)
        }
        do {
            _ = try DatabaseQueue(path: path)
            Issue.record("opened without key")
        } catch {
            print(error)
        }
        var config2 = Configuration()
        config2.prepareDatabase { try $0.usePassphrase("new") }
        let queue = try DatabaseQueue(path: path, configuration: config2)
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t") } == 1)
        do { try queue.write { try $0.execute(sql: "PRAGMA key = 'ABC' XYZ") } } catch { print(error) }
        do { try queue.write { try $0.execute(sql: "INSERT INTO t(name) VALUES (?)", arguments: [1,2]) } } catch { print(error) }
        do { try queue.write { try $0.execute(sql: "INSERT INTO nope VALUES (?)", arguments: [1,2]) } } catch { print(error) }
        try queue.write { db in
            db.trace { print("TRACE", $0) }
            try db.inSavepoint { try db.execute(sql: "DELETE FROM t"); return .rollback }
        }
    }
}
