import Strongroom
import Testing

@Suite struct SQLCipherLibraryTests {
    @Test(arguments: ["3.4.1", "3.20.1 community", "4.5.5 community", "4", "nonsense", ""])
    func `A library that is too old is refused, with what to type`(version: String) {
        let objection = SQLCipherLibrary.objection(to: version)
        #expect(objection?.message?.contains("make setup") == true)
    }

    @Test(arguments: [
        "4.5.6 community", "4.6.1 community", "4.19.0 community", "5.0", "4.10.0-beta",
    ])
    func `A library that is new enough is not`(version: String) {
        #expect(SQLCipherLibrary.objection(to: version) == nil)
    }

    @Test func `Plain SQLite is refused, since it would write in clear`() {
        #expect(SQLCipherLibrary.objection(to: nil)?.message?.contains("in clear") == true)
    }

    @Test func `The library of this process says its version`() {
        #expect(Database.sqlCipherVersion?.contains(".") == true)
    }
}
