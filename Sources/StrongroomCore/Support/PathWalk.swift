internal import LibC

/// Follows a path name by name, in folders that are held, and no link of a stranger.
///
/// Whoever may write to a folder on the way can make a link there, and so lead a caller who has more
/// rights to a file that is none of the link's maker's business. A link is followed if the caller has
/// made it, the superuser, or the owner of what it leads to, who could do as much to that without it.
///
/// What is on the way is held by descriptors that only pin it: that takes no right to read it.
struct PathWalk: ~Copyable {
    private struct Place {
        let name: String
        let descriptor: FileSystem.Descriptor
        let owner: UInt32
    }

    private let fileSystem: FileSystem
    /// The names that are still to be followed, the next one last.
    private var names: [String]
    /// Where the walk has come to, from the root on.
    private var places: [Place] = []
    /// The links of others: who has made each, and how many names are left when it has been followed.
    private var links: [(owner: UInt32, path: String, nameCount: Int)] = []
    private var linkCount = 0

    /// As many as Linux follows. <https://man7.org/linux/man-pages/man7/path_resolution.7.html>
    private static let mostLinks = 40

    /// The folder in which a path ends, all links followed, and the name there.
    ///
    /// - Parameter exists: Whether something stands there. Elsewhere the last name is no link.
    /// - Returns: Nil where the system cannot hold what is on the way.
    static func end(
        of path: String, exists: Bool, _ fileSystem: FileSystem
    ) throws(SystemError) -> (folder: OpenFolder, name: String)? {
        let (directory, name) = path.splitAtLastSlash
        let route = exists ? path : directory
        let start = route.hasPrefix("/") ? "/" : try fileSystem.resolve(".")
        let root = try fileSystem.inFolder.open("/")
        var walk = PathWalk(start.appendingName(route), from: root, fileSystem)
        guard try walk.run() else { return nil }
        let last = exists ? walk.leaveLast() : name
        return (try walk.openFolder(), last)
    }

    private init(_ path: String, from root: FileSystem.Descriptor, _ fileSystem: FileSystem) {
        self.fileSystem = fileSystem
        names = Self.names(in: path)
        places = [Place(name: "", descriptor: root, owner: 0)]
    }

    deinit {
        for place in places { fileSystem.close(place.descriptor) }
    }

    private static func names(in path: String) -> [String] {
        path.split(separator: "/").reversed().map(String.init).filter { $0 != "." }
    }

    private var path: String { places.count == 1 ? "/" : places.map(\.name).joined(separator: "/") }

    private mutating func run() throws(SystemError) -> Bool {
        while let name = names.popLast() {
            if name == ".." {
                if places.count > 1 { _ = leaveLast() }
            } else {
                guard try enter(name) else { return false }
            }
            try requireOwnLinks()
        }
        return true
    }

    private mutating func enter(_ name: String) throws(SystemError) -> Bool {
        let folder = places[places.count - 1].descriptor
        guard let pin = try fileSystem.inFolder.pin(folder, name) else { return false }
        let status: FileStatus
        do throws(SystemError) {
            status = try fileSystem.descriptorStatus(pin)
        } catch {
            fileSystem.close(pin)
            throw error
        }
        guard status.kind == .link else {
            places.append(Place(name: name, descriptor: pin, owner: status.owner))
            return true
        }
        defer { fileSystem.close(pin) }
        try follow(pin, at: path.appendingName(name), of: status.owner)
        return true
    }

    private mutating func follow(
        _ link: FileSystem.Descriptor, at path: String, of owner: UInt32
    ) throws(SystemError) {
        linkCount += 1
        guard linkCount <= Self.mostLinks else {
            throw SystemError("open", path, number: SystemError.loop)
        }
        let target = try fileSystem.inFolder.linkTarget(link)
        if owner != 0 && owner != geteuid() { links.append((owner, path, names.count)) }
        if target.hasPrefix("/") {
            while places.count > 1 { _ = leaveLast() }
        }
        names += Self.names(in: target)
    }

    /// Looks at the links that have been followed to their ends.
    private mutating func requireOwnLinks() throws(SystemError) {
        while let link = links.last, link.nameCount == names.count {
            guard link.owner == places[places.count - 1].owner else {
                throw SystemError("follow", link.path, number: SystemError.strangersLink)
            }
            links.removeLast()
        }
    }

    private mutating func leaveLast() -> String {
        let place = places.removeLast()
        fileSystem.close(place.descriptor)
        return place.name
    }

    private func openFolder() throws(SystemError) -> OpenFolder {
        let pin = places[places.count - 1].descriptor
        return OpenFolder(path, try fileSystem.inFolder.openFolder(pin, "."), fileSystem)
    }
}
