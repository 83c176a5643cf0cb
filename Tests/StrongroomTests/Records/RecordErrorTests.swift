import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct RecordErrorTests {
    // Deprecated as the alias that it uses is.
    @available(*, deprecated)
    @Test(.proves("ERR-009"))
    func `A missing record is told by its table and key`() {
        let error: PersistenceError = .recordNotFound(
            databaseTableName: "player", key: ["id": 1.databaseValue])
        #expect("\(error)" == "Key not found in table player: [id:1]")
        let composite = RecordError.recordNotFound(
            databaseTableName: "seat", key: ["row": "B".databaseValue, "number": 2.databaseValue])
        #expect("\(composite)" == #"Key not found in table seat: [number:2 row:"B"]"#)
    }
}
