import CSQLCipher
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct ResultCodeTests {
    @Test(.proves("ERR-005"))
    func `A code's text is SQLite's own`() {
        for code in Array(0...CInt(28)) + [100, 101, 516] where ![2, 16, 22, 24].contains(code) {
            let text = String(cString: sqlite3_errstr(code))
            #expect(ResultCode(rawValue: code).description == "\(code) (\(text))")
        }
        #expect(ResultCode.SQLITE_CONSTRAINT_UNIQUE.primaryResultCode == .SQLITE_CONSTRAINT)
        #expect(ResultCode.SQLITE_CONSTRAINT_UNIQUE.rawValue == SQLITE_CONSTRAINT | (8 << 8))
    }

    @Test(.proves("ERR-006"))
    func `A primary code matches its extended codes, an extended one only itself`() throws {
        let unique = DatabaseError(resultCode: .SQLITE_CONSTRAINT_UNIQUE)
        func caught(_ error: any Error) -> String {
            do {
                throw error
            } catch DatabaseError.SQLITE_CONSTRAINT_FOREIGNKEY {
                return "foreign key"
            } catch ResultCode.SQLITE_BUSY {
                return "busy"
            } catch DatabaseError.SQLITE_CONSTRAINT {
                return "constraint"
            } catch {
                return "other"
            }
        }
        #expect(caught(unique) == "constraint")
        #expect(caught(DatabaseError(resultCode: .SQLITE_CONSTRAINT_FOREIGNKEY)) == "foreign key")
        #expect(caught(DatabaseError(resultCode: .SQLITE_BUSY_SNAPSHOT)) == "busy")
        #expect(caught(CancellationError()) == "other")
        #expect(!(ResultCode.SQLITE_CONSTRAINT_UNIQUE ~= ResultCode.SQLITE_CONSTRAINT))
    }
}
