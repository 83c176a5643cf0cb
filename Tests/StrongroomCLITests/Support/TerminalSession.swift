import Foundation
import StrongroomTestSupport

/// The built program on a terminal of its own: what it shows, what is typed, how it ends.
///
/// The program leads a session, and the terminal is the session's, so that `/dev/tty` is this terminal
/// and Ctrl-C is a signal, as in real life.
final class TerminalSession {
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    private static let timeoutMilliseconds: Int32 = 60_000
    /// From <spawn.h>; Swift does not import it.
    private static let newSession: Int16 = 0x80

    /// What it has shown, with newlines as in a file.
    var screen: String {
        String(decoding: shown, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
    }

    // A read may end between the bytes of a character, and between those of a line's end.
    private var shown: [UInt8] = []
    private let master: Int32
    private let process: pid_t
    private var hasEnded = false

    init(_ program: String, _ words: [String], in directory: String) throws {
        var master: Int32 = -1
        var slave: Int32 = -1
        var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&master, &slave, nil, nil, &size) == 0 else {
            throw Failed(description: "openpty")
        }
        // ttyname has one buffer for all threads, and tests run side by side.
        var buffer = [CChar](repeating: 0, count: 256)
        guard ttyname_r(slave, &buffer, buffer.count) == 0 else {
            throw Failed(description: "ttyname_r")
        }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let name = String(decoding: bytes, as: UTF8.self)
        _ = fcntl(master, F_SETFD, FD_CLOEXEC)
        self.master = master
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The leader of a new session gets the first terminal that it opens as its own.
        posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        try addCloseFrom(3, to: &actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        try useDefaultSignals(&attributes, andFlags: Self.newSession)
        let command = ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, directory, program] + words
        let arguments = command.map { strdup($0) } + [nil]
        // The terminal is this one, not that in which the tests were started, which may have colours.
        let variables = ProcessInfo.processInfo.environment.merging(["TERM": "dumb"]) { $1 }
        let environment = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var process: pid_t = 0
        let code = posix_spawn(
            &process, command[0], &actions, &attributes, arguments, environment)
        close(slave)
        guard code == 0 else { throw Failed(description: "posix_spawn: \(code)") }
        self.process = process
    }

    deinit {
        if !hasEnded {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        close(master)
    }

    /// Whether what is typed is shown.
    var echoes: Bool {
        var settings = termios()
        return tcgetattr(master, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Types a text as it is; `\n` is the return key, `\u{03}` is Ctrl-C.
    func type(_ text: String) throws {
        guard write(master, text, text.utf8.count) == text.utf8.count else {
            throw Failed(description: "write")
        }
    }

    func wait(untilShown text: String) throws {
        while !screen.contains(text) {
            guard try readMore() else {
                throw Failed(description: "\(text) was not shown: \(screen)")
            }
        }
    }

    /// Makes the window as wide as that; the program gets SIGWINCH.
    func resize(columns: UInt16) throws {
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard ioctl(master, UInt(TIOCSWINSZ), &size) == 0 else {
            throw Failed(description: "TIOCSWINSZ")
        }
    }

    func signal(_ number: Int32) {
        kill(process, number)
    }

    /// The exit status, or nil if a signal ended it; all that it showed is on the screen then.
    func wait() throws -> Int32? {
        while try readMore() {}
        var status: Int32 = 0
        guard waitpid(process, &status, 0) == process else { throw Failed(description: "waitpid") }
        hasEnded = true
        return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }

    /// False when the program has closed the terminal.
    private func readMore() throws -> Bool {
        var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, Self.timeoutMilliseconds) > 0 else {
            throw Failed(description: "nothing happened for a minute: \(screen)")
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(master, &buffer, buffer.count)
        // Linux answers EIO once nobody has the other side open.
        guard count > 0 else { return false }
        shown += buffer[..<count]
        return true
    }
}
