import LibC
import Strongroom

/// The terminal that the process was started from, whatever its standard streams are.
enum ControllingTerminal {
    /// Longer lines are cut by the terminal's own line editing.
    private static let limit = 4095

    /// Asks for a line that is not shown.
    ///
    /// The echo is back on however this ends, a signal included: signals do not interrupt, they wake
    /// the wait for input.
    static func askSecret(
        _ prompt: String, _ cancellation: Cancellation
    ) throws(Failure) -> SecretBytes {
        guard let terminal = try? Descriptor.open("/dev/tty", O_RDWR | O_NOCTTY) else {
            throw .usage(
                "no key is given, and there is no terminal to ask on",
                hint: "use --key-file PATH, --key-env NAME, --key-fd N or --key-command COMMAND")
        }
        defer { terminal.close() }
        let answer = try withoutEcho(on: terminal) { () throws(Failure) in
            try line(from: terminal, prompt, cancellation)
        }
        guard let answer else { throw Failure(.failed, "no key was typed") }
        return answer
    }

    private static func line(
        from terminal: Descriptor, _ prompt: String, _ cancellation: Cancellation
    ) throws(Failure) -> SecretBytes? {
        let text = TextOutput(terminal, name: "the terminal", capacity: 0)
        try text.write(VisibleText.text(of: prompt))
        // The newline that was typed is not echoed.
        defer { try? text.write("\n") }
        do throws(Descriptor.ReadingError) {
            return try terminal.readSecretLine(limit: limit, cancellation)
        } catch {
            throw error.failure(reading: "the terminal")
        }
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
        // Ctrl-Z would leave the shell with a terminal that does not echo.
        let suspension = signal(SIGTSTP, SIG_IGN)
        defer { signal(SIGTSTP, suspension) }
        guard tcsetattr(terminal.number, TCSAFLUSH, &silent) == 0 else {
            throw Failure(.failed, "cannot turn off the terminal's echo")
        }
        defer { tcsetattr(terminal.number, TCSAFLUSH, &original) }
        return try body()
    }
}
