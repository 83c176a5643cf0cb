import Foundation
import Strongroom

// Pieces of code as users of GRDB 7 write them, one for each public type and family of methods.

/// What a piece of code got, when that is not what it should have got.
struct SnippetFailure: Error, CustomStringConvertible {
    let description: String
}

/// The titles of the pieces that ran.
final class SnippetLog {
    private(set) var titles: [String] = []

    /// Runs one piece of code.
    func callAsFunction(_ title: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            throw SnippetFailure(description: "\(title): \(error)")
        }
        titles.append(title)
    }
}

/// Fails a piece of code unless it got what it should.
func expect(_ holds: Bool, line: Int = #line) throws {
    if !holds { throw SnippetFailure(description: "line \(line)") }
}

/// Fails unless an error of the kind is thrown.
func expectError<E: Error>(_ type: E.Type, line: Int = #line, _ body: () throws -> Void) throws {
    do {
        try body()
    } catch is E {
        return
    }
    throw SnippetFailure(description: "line \(line): nothing was thrown")
}
