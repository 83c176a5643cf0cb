import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("Users of a file", .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
struct FileUserTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test("are found by what they have open, under whatever name")
    func thisProcess() throws {
        try folder.write("x", to: "file")
        let path = folder.path(of: "file")
        let identity = try FileSystem.system.status(path).identity
        #expect(FileSystem.system.users(of: [identity]).isEmpty)

        // Closed on exec: else a program that another test starts would have it open, too.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        try FileManager.default.moveItem(atPath: path, toPath: folder.path(of: "renamed"))
        let user = try #require(FileSystem.system.users(of: [identity]).first)
        #expect(user.process == getpid())
        #expect(user.descriptorCount == 1)
        #expect(!user.program.isEmpty)
        close(descriptor)
        #expect(FileSystem.system.users(of: [identity]).isEmpty)
    }

    @Test("are found in other processes")
    func otherProcess() throws {
        try folder.write("x", to: "file")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "exec 3<\"$0\"; echo open; read line", folder.path(of: "file")]
        let output = Pipe()
        let input = Pipe()
        process.standardOutput = output
        process.standardInput = input
        try process.run()
        _ = try output.fileHandleForReading.read(upToCount: 5)
        let identity = try FileSystem.system.status(folder.path(of: "file")).identity
        let users = FileSystem.system.users(of: [identity])
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(users.map(\.process) == [process.processIdentifier])
    }
}
