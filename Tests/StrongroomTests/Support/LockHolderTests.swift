import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("Who holds a lock, by the system's list")
struct LockHolderTests {
    @Test("is the number before the file's name")
    func parsing() {
        let file = FileStatus.Identity(device: 0x802, number: 1571)
        let name = FileSystem.nameInLocks(file)
        #expect(name == "08:02:1571")
        let lines: [(Substring, Int32?)] = [
            ("1: POSIX  ADVISORY  WRITE 3548 08:02:1571 0 EOF", 3548),
            ("2: -> POSIX  ADVISORY  READ 12 08:02:1571 1073741824 1073742335", 12),
            ("3: OFDLCK ADVISORY  WRITE -1 08:02:1571 0 EOF", nil),
            ("4: POSIX  ADVISORY  WRITE 77 08:02:15710 0 EOF", nil), ("", nil), ("08:02:1571", nil),
        ]
        for (line, process) in lines {
            #expect(FileSystem.holder(in: line, of: [name]) == process)
        }
    }
}
