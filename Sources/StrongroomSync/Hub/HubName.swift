package import StrongroomCore

/// The names of objects in a hub, as `Documentation/SyncFormat.md` lists them.
///
/// 1. Numbers have twelve digits, so that the order of names is that of numbers.
/// 2. What comes from a hub is taken apart by ``init(_:)``, which knows these names and no others.
package enum HubName: Hashable, Sendable {
    case roster(UInt64)
    case batch(DeviceID, Run, UInt64)
    case head(DeviceID)
    case manifest(ContentDigest)
    case part(ContentDigest, UInt64)

    /// No object has a greater number.
    package static let largestNumber: UInt64 = 999_999_999_999
    private static let digitCount = 12

    /// The name with the space's.
    package func text(in space: SpaceID) -> String {
        let rest =
            switch self {
            case .roster(let position): "roster/" + Self.text(position)
            case .batch(let device, let run, let number):
                Self.log(device, run) + Self.text(number)
            case .head(let device): "heads/" + device.hexadecimal
            case .manifest(let snapshot): Self.snapshot(snapshot) + "manifest"
            case .part(let snapshot, let number):
                Self.snapshot(snapshot) + Self.text(number)
            }
        return Self.prefix(of: space) + rest
    }

    /// With what the names of a space begin.
    package static func prefix(of space: SpaceID) -> String { space.hexadecimal + "/" }
    /// With what the names of its roster begin.
    package static func rosterPrefix(_ space: SpaceID) -> String { prefix(of: space) + "roster/" }
    /// With what the names of a run's batches begin.
    package static func logPrefix(_ space: SpaceID, _ device: DeviceID, _ run: Run) -> String {
        prefix(of: space) + log(device, run)
    }

    private static func log(_ device: DeviceID, _ run: Run) -> String {
        "log/\(device.hexadecimal)-\(run.hexadecimal)/"
    }

    private static func snapshot(_ id: ContentDigest) -> String { "snapshots/\(id.hexadecimal)/" }

    static func text(_ number: UInt64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(digitCount - digits.utf8.count, 0)) + digits
    }

    /// A name without the space's; nil for what is none of these.
    package init?(_ text: some StringProtocol) {
        let words = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let kind = words.first else { return nil }
        switch (kind, words.count) {
        case ("roster", 2):
            guard let number = Self.number(words[1]) else { return nil }
            self = .roster(number)
        case ("heads", 2):
            guard let device = Self.bytes(words[1]).flatMap({ DeviceID($0) }) else { return nil }
            self = .head(device)
        case ("log", 3):
            let halves = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard halves.count == 2, let number = Self.number(words[2]),
                let device = Self.bytes(halves[0]).flatMap({ DeviceID($0) }),
                let run = Self.bytes(halves[1]).flatMap({ Run($0) })
            else { return nil }
            self = .batch(device, run, number)
        case ("snapshots", 3):
            guard let snapshot = ContentDigest(hexadecimal: words[1]) else { return nil }
            if words[2] == "manifest" {
                self = .manifest(snapshot)
            } else if let number = Self.number(words[2]) {
                self = .part(snapshot, number)
            } else {
                return nil
            }
        default: return nil
        }
    }

    private static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.allSatisfy(Hexadecimal.isLowercaseDigit) else { return nil }
        return Hexadecimal.bytes(text)
    }

    private static func number(_ text: some StringProtocol) -> UInt64? {
        guard text.utf8.count == digitCount,
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return UInt64(text)
    }
}

/// What every transport has in common: which names there can be, and how large an object is.
public enum HubObject {
    /// The most bytes of an object, in bytes: 4 MiB of a snapshot's part, 1 MiB of anything else.
    ///
    /// - Parameter name: The object's name.
    public static func byteLimit(of name: String) -> Int {
        name.contains("/snapshots/") && !name.hasSuffix("/manifest") ? 4 << 20 : 1 << 20
    }

    /// Whether an object may be replaced: the heads of devices, and nothing else.
    ///
    /// - Parameter name: The object's name.
    public static func mayBeReplaced(_ name: String) -> Bool {
        name.contains("/heads/")
    }

    /// Whether a text can be the name of an object, or with what such names begin.
    ///
    /// A name has two to five words of up to 80 characters with slashes between them. A word has digits, lower-case
    /// letters, `-` and `.`, and begins with a digit or a letter. So it is one name on every file system,
    /// and none leads out of a folder.
    ///
    /// - Parameters:
    ///   - name: The text.
    ///   - isPrefix: Whether it may end with a slash, or in the middle of a word.
    public static func isName(_ name: String, isPrefix: Bool = false) -> Bool {
        let words = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard words.count <= 5, words.count >= 2 || isPrefix else { return false }
        return words.enumerated().allSatisfy { index, word in
            if isPrefix, index == words.count - 1, word.isEmpty { return true }
            guard let first = word.first, isLetterOrDigit(first) else { return false }
            return word.count <= 80
                && word.allSatisfy { isLetterOrDigit($0) || $0 == 0x2d || $0 == 0x2e }
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    static func require(_ name: String, isPrefix: Bool = false) throws {
        guard isName(name, isPrefix: isPrefix) else {
            throw HubError(.invalidName, name, "no object of a hub can have this name")
        }
    }

    static func require(_ body: [UInt8], fits name: String) throws {
        guard body.count <= byteLimit(of: name) else {
            throw HubError.tooLarge(name, limit: byteLimit(of: name))
        }
    }
}
