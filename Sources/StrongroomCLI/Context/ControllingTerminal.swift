import LibC
import StrongroomCore

/// The terminal that the process was started from, whatever its standard streams are.
///
/// 1. The echo is back on however a question ends, a signal included: signals do not interrupt, they
///    wake the wait for input.
/// 2. Ctrl-Z stops the process with the terminal as it was. When it goes on, it asks again, and what
///    was typed before is forgotten.
/// 3. What a terminal puts around a text that is pasted (bracketed paste) is no part of the key.
/// 4. Of several lines that are pasted, none is taken: the first one would be, and the others lost.
enum ControllingTerminal {
    /// Longer lines are cut by the terminal's own line editing.
    private static let limit = 4095
    private static let suspension = UInt8(0x1A)
    private static let pasteMarks = [Array("\u{1B}[200~".utf8), Array("\u{1B}[201~".utf8)]
    /// _POSIX_VDISABLE, which Swift does not import.
    #if canImport(Darwin)
    private static let disabled = UInt8.max
    #else
    private static let disabled = UInt8(0)
    #endif

    /// Asks for a line that is not shown.
    static func askSecret(
        _ prompt: String, _ cancellation: Cancellation
    ) throws(Failure) -> SecretBytes {
        guard let terminal = try? Descriptor.open("/dev/tty", O_RDWR | O_NOCTTY) else {
            throw .usage(
                "no key is given, and there is no terminal to prompt on",
                hint: "use --key-file PATH, --key-env NAME, --key-fd N or --key-command COMMAND")
        }
        defer { terminal.close() }
        while true {
            let answer = try withoutEcho(on: terminal) { () throws(Failure) in
                try line(from: terminal, prompt, cancellation)
            }
            guard let answer else { throw Failure(.failed, "no key was typed") }
            guard answer.withUnsafeBytes({ $0.last == suspension }) else { return answer }
            stop()
        }
    }

    /// What the terminal would do at Ctrl-Z: all of the group stop, until the shell has them go on.
    private static func stop() {
        let handler = signal(SIGTSTP, SIG_DFL)
        kill(0, SIGTSTP)
        signal(SIGTSTP, handler)
    }

    private static func line(
        from terminal: Descriptor, _ prompt: String, _ cancellation: Cancellation
    ) throws(Failure) -> SecretBytes? {
        let text = TextOutput(terminal, name: "the terminal", capacity: 0)
        try text.write(VisibleText.text(of: prompt))
        // The newline that was typed is not echoed.
        defer { try? text.write("\n") }
        let answer: SecretBytes?
        do throws(Descriptor.ReadingError) {
            answer = try terminal.readSecretLine(
                limit: limit, endingAlsoWith: suspension, cancellation
            )
        } catch {
            throw error.failure(reading: "the terminal")
        }
        if hasMoreInput(terminal) {
            throw Failure(
                .failed, "more than one line was typed or pasted, and a key is one line",
                hint: "paste only the key, or use --key-file PATH")
        }
        guard let answer else { return nil }
        return withoutPasteMarks(answer)
    }

    /// A program that ended without turning it off may have left the terminal so.
    /// <https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-Bracketed-Paste-Mode>
    private static func withoutPasteMarks(_ line: borrowing SecretBytes) -> SecretBytes {
        var rest = SecretBytes(capacity: line.count)
        line.withUnsafeBytes { bytes in
            var place = 0
            while place < bytes.count {
                let start = bytes[place...]
                if let mark = pasteMarks.first(where: start.starts(with:)) {
                    place += mark.count
                } else {
                    rest.append(bytes[place])
                    place += 1
                }
            }
        }
        return rest
    }

    /// Whether something waits behind the line, a whole line or the beginning of one.
    private static func hasMoreInput(_ terminal: Descriptor) -> Bool {
        var settings = termios()
        guard tcgetattr(terminal.number, &settings) == 0 else { return false }
        // What is no whole line counts only for who reads without lines.
        settings.c_lflag &= ~tcflag_t(ICANON)
        guard tcsetattr(terminal.number, TCSANOW, &settings) == 0 else { return false }
        var count: CInt = 0
        return ioctl(terminal.number, UInt(FIONREAD), &count) == 0 && count > 0
    }

    private static func withoutEcho(
        on terminal: Descriptor, _ body: () throws(Failure) -> SecretBytes?
    ) throws(Failure) -> SecretBytes? {
        var original = termios()
        guard tcgetattr(terminal.number, &original) == 0 else {
            throw Failure(.failed, "cannot turn off the terminal's echo")
        }
        var silent = original
        silent.c_lflag &= ~tcflag_t(ECHO | ECHONL)
        silent.c_lflag |= tcflag_t(ICANON | ISIG)
        // Ctrl-Z ends the line, so that the terminal is as it was before the process stops.
        withUnsafeMutableBytes(of: &silent.c_cc) { characters in
            characters[Int(VSUSP)] = disabled
            characters[Int(VEOL)] = suspension
        }
        // Stopped by another process, it would leave the shell with a terminal that does not echo.
        let handler = signal(SIGTSTP, SIG_IGN)
        defer { signal(SIGTSTP, handler) }
        guard tcsetattr(terminal.number, TCSAFLUSH, &silent) == 0 else {
            throw Failure(.failed, "cannot turn off the terminal's echo")
        }
        defer { tcsetattr(terminal.number, TCSAFLUSH, &original) }
        return try body()
    }
}
