internal import CSQLCipher
internal import Synchronization

/// SQLite's error log, of which there is one for the process.
///
/// SQLite takes a log function only before it is initialised, so ours is installed before the first
/// connection opens, and forwards to whatever function is current.
/// <https://www.sqlite.org/errlog.html>
// Safety: SQLite's text is copied during the call.
package enum ErrorLog {
    package typealias Function = @Sendable (_ code: ResultCode, _ message: String) -> Void

    private static let current = Mutex<Function?>(nil)

    package static var function: Function? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    private static let isInstalled: Bool =
        unsafe strongroom_config_log(
            { _, code, message in
                guard let function = ErrorLog.function, let message = unsafe message else { return }
                // A failed ATTACH is logged whole, key and all (`Documentation/SQLCipher.md`,
                // "Traces, logs and errors").
                unsafe function(
                    ResultCode(rawValue: code), String(cString: message).redactingKeysInMessage())
            }, nil) == SQLITE_OK

    package static func install() {
        _ = isInstalled
    }
}
