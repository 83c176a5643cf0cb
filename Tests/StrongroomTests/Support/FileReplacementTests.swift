import Foundation
import StrongroomTestSupport
import Synchronization
import Testing

@testable import StrongroomCore

@Suite("Replacing a file")
struct FileReplacementTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    var target: String { folder.path(of: "data") }

    @Test("goes through its steps in the written order")
    func order() throws {
        try folder.write("old", to: "data")
        let journal = CallJournal()
        let replacement = try FileReplacement(
            of: target, sidecarSuffixes: ["-wal"], fileSystem: journal.fileSystem)
        journal.start()
        try replacement.run(overwrite: true) { temporary in
            journal.note("fill")
            try "new".write(toFile: temporary, atomically: false, encoding: .utf8)
        } beforeRename: {
            journal.note("last check")
        }
        #expect(
            journal.calls == [
                "create TEMPORARY", "lock", "fill",
                "copy attributes", "chmod", "fsync", "last check",
                "unlink TEMPORARY-wal", "unlink data-wal", "close", "rename TEMPORARY data",
                "fsync directory",
            ])
        #expect(try read("data") == "new")
        #expect(try folder.names() == ["data"])
    }

    @Test("creates a file that its owner alone may read")
    func create() throws {
        try replace(overwrite: false) { try "new".write(to: $0) }
        #expect(try read("data") == "new")
        #expect(try FileSystem.system.status(target).mode == 0o600)
    }

    @Test("keeps the mode of what it replaces")
    func mode() throws {
        try folder.write("old", to: "data")
        try FileSystem.system.changeMode(target, 0o640)
        try replace(overwrite: true) { try "new".write(to: $0) }
        #expect(try FileSystem.system.status(target).mode == 0o640)
    }

    @Test("keeps the owner of what it replaces", .enabled(if: geteuid() == 0))
    func owner() throws {
        try folder.write("old", to: "data")
        try FileSystem.system.changeOwner(target, 1234, 4321)
        try replace(overwrite: true) { try "new".write(to: $0) }
        let status = try FileSystem.system.status(target)
        #expect(status.owner == 1234)
        #expect(status.group == 4321)
    }

    @Test("follows a link, which stays a link")
    func link() throws {
        try folder.write("old", to: "data")
        let link = folder.path(of: "link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "data")
        try FileReplacement(of: link, sidecarSuffixes: []).run(overwrite: true) {
            try "new".write(to: $0)
        }
        #expect(try read("data") == "new")
        #expect(try FileSystem.system.linkTarget(link) == "data")
    }

    @Test("refuses a taken name without overwrite, also one taken in the meantime")
    func taken() throws {
        let replacement = try FileReplacement(of: target, sidecarSuffixes: [])
        let error = #expect(throws: SystemError.self) {
            try replacement.run(overwrite: false) { temporary in
                try "new".write(to: temporary)
                try folder.write("other", to: "data")
            }
        }
        #expect(error?.number == EEXIST)
        #expect(try read("data") == "other")
        #expect(try folder.names() == ["data"])
        let early = #expect(throws: SystemError.self) {
            try replace(overwrite: false) { _ in Issue.record("there is nothing to fill") }
        }
        #expect(early?.number == EEXIST)
    }

    @Test("leaves the old file and no temporary when a step fails", arguments: Step.allCases)
    func failure(step: Step) throws {
        try folder.write("old", to: "data")
        try FileSystem.system.changeMode(target, 0o640)
        var fileSystem = FileSystem.system
        step.fail(&fileSystem)
        let replacement = try FileReplacement(
            of: target, sidecarSuffixes: ["-wal", "-journal"], fileSystem: fileSystem)
        #expect(throws: SystemError("injected", step.rawValue, number: ENOSPC)) {
            try replacement.run(overwrite: true) { temporary in
                try "new".write(to: temporary)
                try "wal".write(to: temporary + "-wal")
                if step == .fill { throw step.error }
            } beforeRename: {
                if step == .lastCheck { throw step.error }
            }
        }
        #expect(try read("data") == "old")
        #expect(try folder.names() == ["data"])
    }

    @Test("says so when the name may not survive a power failure; the new file stands")
    func notDurable() throws {
        try folder.write("old", to: "data")
        var fileSystem = FileSystem.system
        fileSystem.inFolder.synchronize = { (_) throws(SystemError) in
            throw SystemError("fsync", "", number: EIO)
        }
        let replacement = try FileReplacement(
            of: target, sidecarSuffixes: [], fileSystem: fileSystem)
        #expect(throws: FileReplacement.NotDurable.self) {
            try replacement.run(overwrite: true) { try "new".write(to: $0) }
        }
        #expect(try read("data") == "new")
    }

    @Test("removes leftovers of killed processes, and nothing else")
    func leftovers() throws {
        for name in [
            ".data.strongroom-0123456789abcdef", ".data.strongroom-0123456789abcdef-wal",
            ".data.strongroom-notOurNumberHere", ".data2.strongroom-0123456789abcdef", "data",
        ] {
            try folder.write("x", to: name)
        }
        let replacement = try FileReplacement(of: target, sidecarSuffixes: ["-wal"])
        try replacement.run(overwrite: true) { _ in
            let count = try FileReplacement(of: target, sidecarSuffixes: ["-wal"]).removeLeftovers()
            #expect(count == 1, "the temporary in use is not a leftover")
        }
        #expect(
            try folder.names() == [
                ".data.strongroom-notOurNumberHere", ".data2.strongroom-0123456789abcdef", "data",
            ])
    }

    @Test("works for the longest names that a file may have")
    func longName() throws {
        let name = String(repeating: "é", count: 120)
        let path = folder.path(of: name)
        try FileReplacement(of: path, sidecarSuffixes: ["-journal"]).run(overwrite: false) {
            try "new".write(to: $0)
        }
        #expect(try read(name) == "new")
    }

    private func read(_ name: String) throws -> String {
        try String(contentsOfFile: folder.path(of: name), encoding: .utf8)
    }

    private func replace(overwrite: Bool, _ fill: (String) throws -> Void) throws {
        try FileReplacement(of: target, sidecarSuffixes: ["-wal"])
            .run(overwrite: overwrite, fill: fill)
    }
}

extension FileReplacementTests {
    /// A step that a test makes fail.
    enum Step: String, CaseIterable, Sendable {
        case lock, fill, chmod, fsync, lastCheck, rename

        var error: SystemError { SystemError("injected", rawValue, number: ENOSPC) }

        func fail(_ fileSystem: inout FileSystem) {
            let error = error
            switch self {
            case .lock: fileSystem.lock = { (_) throws(SystemError) in throw error }
            case .chmod: fileSystem.changeMode = { (_, _) throws(SystemError) in throw error }
            case .fsync: fileSystem.synchronize = { (_) throws(SystemError) in throw error }
            case .rename:
                fileSystem.inFolder.rename = { (_, _, _, _) throws(SystemError) in throw error }
            case .fill, .lastCheck: break
            }
        }
    }
}

extension String {
    fileprivate func write(to path: String) throws {
        try write(toFile: path, atomically: false, encoding: .utf8)
    }
}
