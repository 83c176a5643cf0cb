import Foundation
import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomKeyrings

/// Keyrings that earlier versions have written.
@Suite struct KeyringFormatTests {
    @Test("Keyrings of earlier versions open, and can be changed", .proves("KSL-001"))
    func generations() throws {
        var count = 0
        for generation in FormatGeneration.all {
            let folder = try generation.copy()
            for database in try generation.expectation().databases where database.hasKeyring {
                count += 1
                let path = folder.path(of: database.file)
                let secret = try CipherKey(
                    contentsOfFile: folder.path(of: try #require(database.key)))
                var configuration = Configuration()
                configuration.prepareDatabase { try $0.unlock(with: .key(secret)) }
                let queue = try DatabaseQueue(path: path, configuration: configuration)
                let rows = try queue.read { db in
                    try String.fetchAll(db, sql: "SELECT quote(name) FROM artist ORDER BY id")
                }
                try queue.close()
                #expect(rows.count == 3)
                let next = try RecoveryCode.generated()
                try Keyring(of: path).change(unlockingWith: .key(secret)) {
                    try $0.addRecoveryCode(next)
                }
                let rotated = try Keyring(of: path).rotate(unlockingWith: .recoveryCode(next))
                #expect(try rotated.unlock(with: .key(secret)).form == .rawKeyAndSalt)
            }
        }
        #expect(count > 0)
    }
}
