internal import LibC
import StrongroomCore
internal import StrongroomEssentials

extension KeyringContent.StoredEvent {
    /// Something that this process does now.
    static func now(_ what: String, slot: String? = nil, key: String? = nil) -> Self {
        Self(
            time: WrittenTime.text(of: Date()), what: what, user: text(userName),
            host: text(hostName), slot: slot, key: key)
    }

    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    /// The name of the user, or the number of one without a name.
    private static var userName: String {
        let number = geteuid()
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 4096)
        let code = getpwuid_r(number, &entry, &buffer, buffer.count, &found)
        guard code == 0, found != nil, let name = entry.pw_name else { return "\(number)" }
        return String(cString: name)
    }
}
