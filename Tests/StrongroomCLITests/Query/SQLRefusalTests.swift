import Strongroom
import StrongroomCLI
import Testing

@Suite struct SQLRefusalTests {
    private func refusal(_ sql: String) -> Failure? {
        do throws(Failure) {
            try SQLRefusal.check(sql)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "PRAGMA key = 'SECRET'", "pragma KEY='SECRET'", "PRAGMA main.key = 'SECRET'",
        "PRAGMA rekey('SECRET')", "/* x */ PRAGMA\n\"key\" = SECRET", "PRAGMA [rekey] = SECRET",
        "EXPLAIN PRAGMA rekey = 'SECRET'", "EXPLAIN QUERY PLAN PRAGMA hexrekey = 'SECRET'",
        "SELECT 1; PRAGMA hexkey='SECRET'", "PRAGMA 'textkey' = SECRET", "PRAGMA `key`=SECRET",
        "-- x\n;PRAGMA/**/key/**/=/**/'SECRET'", "PRAGMA \"main\" . \"rekey\" = 'SECRET'",
    ])
    func `no key is taken from SQL, nor repeated`(sql: String) throws {
        let failure = try #require(refusal(sql))
        #expect(failure.exitCode == .usage)
        #expect(failure.message.hasSuffix("keys cannot be given in SQL"))
        #expect(!failure.message.contains("SECRET"))
        #expect(failure.hint?.contains("rotate-key") == true)
    }

    @Test(arguments: [
        "ATTACH 'x.db' AS x", "ATTACH DATABASE 'x' AS y KEY 'SECRET'", "attach ? as x key ?",
        "VACUUM INTO 'x.db'", "VACUUM main INTO 'file:x?key=SECRET'",
        "PRAGMA cipher_page_size = 1024", "PRAGMA kdf_iter(1)", "PRAGMA cipher_compatibility=3",
        "PRAGMA temp_store = FILE", "PRAGMA main.temp_store_directory='/x'",
    ])
    func `what could write elsewhere or break the file is refused`(sql: String) throws {
        let failure = try #require(refusal(sql))
        #expect(failure.exitCode == .usage)
        #expect(!failure.message.contains("SECRET"))
    }

    @Test(arguments: [
        "SELECT 'PRAGMA key'", "SELECT key FROM pragma", "PRAGMA table_info(album)",
        "PRAGMA cipher_version", "PRAGMA cipher_settings", "PRAGMA user_version = 5", "VACUUM",
        "PRAGMA foreign_key_check", "SELECT * FROM pragma_table_list", "INSERT INTO a VALUES (1)",
        "SELECT attach, \"into\" FROM vacuum", "PRAGMA temp_store", "PRAGMA integrity_check",
    ])
    func `everything else may be run`(sql: String) {
        #expect(refusal(sql) == nil)
    }
}
