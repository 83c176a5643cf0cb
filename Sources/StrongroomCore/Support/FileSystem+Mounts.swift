internal import LibC

extension FileSystem {
    /// Whether nobody on this machine can write a file, under any name and through any mount.
    ///
    /// A mount may be read-only where another mount of the same file system is not, as in a
    /// container. That the file system itself is says `/proc/self/mountinfo`; it does so only for
    /// those that are known to lie on this machine: others may write those of a network, and what is
    /// below an overlay.
    package func isReadOnlyForAll(_ path: String) -> Bool {
        guard let status = try? status(path), (try? isReadOnly(path)) == true else { return false }
        #if canImport(Darwin)
        // There is one mount of each file system; another machine may have it, too.
        var space = statfs()
        return statfs(path.systemPath, &space) == 0 && space.f_flags & UInt32(MNT_LOCAL) != 0
        #else
        let name = Self.nameInMounts(status.identity)
        let lines = (text(of: "/proc/self/mountinfo") ?? "").split(separator: "\n")
        let mounts = lines.filter { $0.split(separator: " ").dropFirst(2).first == name[...] }
        return !mounts.isEmpty && mounts.allSatisfy(Self.isReadOnlyFileSystem)
        #endif
    }

    private static let localFileSystems: Set<Substring> = [
        "cramfs", "erofs", "exfat", "ext2", "ext3", "ext4", "f2fs", "iso9660", "jfs",
        "ntfs3", "reiserfs", "romfs", "squashfs", "tmpfs", "udf", "vfat", "xfs", "zfs",
    ]

    private static let systemsInPlace: Set = [
        "exfat", "ext2", "ext3", "ext4", "jfs", "tmpfs", "vfat", "xfs",
    ]

    /// Whether a file system of this type writes new data of a file where the old data were.
    static func overwritesInPlace(_ typeName: String) -> Bool { systemsInPlace.contains(typeName) }

    /// The type of the file system of a file, such as `ext4`; nil if the system does not say.
    func typeName(of file: FileStatus.Identity) -> String? {
        let name = Self.nameInMounts(file)
        let lines = (text(of: "/proc/self/mountinfo") ?? "").split(separator: "\n")
        let mount = lines.first { $0.split(separator: " ").dropFirst(2).first == name[...] }
        guard let words = mount?.split(separator: " "),
            let separator = words.firstIndex(of: "-"), words.count > separator + 1
        else { return nil }
        return String(words[separator + 1])
    }

    /// `36 35 98:0 /mnt1 /mnt2 ro,noatime master:1 - ext3 /dev/root rw,errors=continue`: a mount
    /// that is read-only of a file system that is not.
    package static func isReadOnlyFileSystem(_ line: Substring) -> Bool {
        let words = line.split(separator: " ")
        guard let separator = words.firstIndex(of: "-"), words.count > separator + 3 else {
            return false
        }
        return localFileSystems.contains(words[separator + 1])
            && words[separator + 3].split(separator: ",").contains("ro")
    }

    /// The device of a file, `98:0`.
    private static func nameInMounts(_ file: FileStatus.Identity) -> String {
        let (major, minor) = numbers(ofDevice: file.device)
        return "\(major):\(minor)"
    }
}
