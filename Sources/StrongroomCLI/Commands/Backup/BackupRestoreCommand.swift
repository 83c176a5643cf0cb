import StrongroomBackup
import StrongroomCore
import StrongroomEssentials
import StrongroomKeyrings

/// `strongroom backup restore REPO [ID] OUT`
struct BackupRestoreCommand: Command {
    private static let time = Option.value(
        "at", "TIME", help: "the last backup until that time, such as 2026-11-20T10:00 (in UTC)")

    static let syntax = CommandSyntax(
        "backup restore", summary: "restore a database from a backup",
        operands: [
            .repositoryOrRoot, .backupName,
            Operand("OUT", help: "the database to create, or the folder for a folder's databases"),
        ],
        options: [time, .force, .json],
        groups: [KeyOptions.ofBackup.group, RepositoryOptions.group],
        notes: [
            "Every page is verified by its hash. With the key, each page is also "
                + "authenticated, and SQLCipher and SQLite check the database before it gets "
                + "its name. A file at OUT is replaced only with --force, and never while it is "
                + "in use.",
            "If the database had a keyring, a secret that opens its newest one restores every "
                + "backup, and OUT gets a keyring with the same slots.",
        ],
        examples: [
            .init(
                line: "strongroom backup restore /backup/shop shop.db --key-file shop.key",
                meaning: "restore the last backup"),
            .init(
                line: "strongroom backup restore /backup/shop old.db --at 2026-11-20T10:00",
                meaning: "restore the state of a time, without a key"),
        ])

    private let path: String
    private let name: String?
    private let destination: String
    private let date: Date?
    private let keySource: KeySource?
    private let repositoryOptions: RepositoryOptions
    private let overwrites: Bool
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        path = arguments.operands[0]
        let second = arguments.operands[1]
        name = arguments.operand(2) == nil ? nil : second
        destination = arguments.operand(2) ?? second
        if name == nil, Self.namesBackup(second) {
            throw .usage(
                "\(second) looks like a backup, and OUT is missing",
                hint:
                    "strongroom backup restore \(ShellWord.text(path)) \(second) OUT; a file of that "
                    + "name is ./\(second)")
        }
        date = try arguments.value(Self.time).map(Self.date)
        if name != nil, date != nil {
            throw .usage("ID and --at both choose a backup", hint: "give one of them")
        }
        keySource = try KeyOptions.ofBackup.optionalSource(in: arguments)
        repositoryOptions = try RepositoryOptions(arguments)
        overwrites = arguments.contains(.force)
        writesJSON = arguments.contains(.json)
    }

    /// A number, the digits of a hash, `latest`, or a date.
    private static func namesBackup(_ word: String) -> Bool {
        let isNumber = !word.isEmpty && word.utf8.allSatisfy { (0x30...0x39).contains($0) }
        let isHash = (4...64).contains(word.utf8.count) && word.utf8.allSatisfy(Hexadecimal.isDigit)
        let isDate = word.prefixMatch(of: #/\d{4}-\d{2}-\d{2}/#) != nil
        return isNumber || isHash || isDate || word == "latest"
    }

    /// Nothing after it is UTC.
    private static func date(_ text: String) throws(Failure) -> Date {
        var text = text.replacing(" ", with: "T")
        let parts = text.split(separator: "T", maxSplits: 1).map(String.init)
        var clock = parts.count == 2 ? parts[1] : "23:59:59"
        var zone = "Z"
        if let start = clock.firstIndex(where: { "Z+-".contains($0) }) {
            zone = String(clock[start...])
            clock = String(clock[..<start])
        }
        if clock.split(separator: ":").count == 2 { clock += ":59" }
        text = "\(parts.first ?? "")T\(clock)\(zone)"
        if let date = try? Date(text, strategy: .iso8601) {
            // To the end of that second.
            return date.addingTimeInterval(0.9995)
        }
        throw .usage("--at needs a time, such as 2026-11-20T10:00")
    }

    func run(in context: CommandContext) throws {
        let set = try RepositorySet(path, repositoryOptions, in: context)
        try set.requireOne(name == "latest" ? nil : name, "ID")
        let keys = try keySource.map { source in
            // Its secret opens keyrings alone.
            if case .unlockCommand = source { return [CipherKey]() }
            return try KeyReader(context: context).keys(from: source, for: .opening(path: path))
        }
        try set.forEach("are restored", in: context) { member, repository in
            if let member { try requireOwnName(member, repository, set, in: context) }
            let place = try member.map(place) ?? destination
            try repository.explainingWrongKey {
                try restore(repository, member, to: place, keys, in: context)
            }
        }
    }

    /// Where the database of one of several repositories gets its place: below OUT, as it was below
    /// what was backed up.
    private func place(of member: BackupRoot.Member) throws -> String {
        let place = destination + "/" + (member.databasePath ?? member.name)
        let folder = place.splitAtLastSlash.directory
        do throws(SystemError) {
            try FolderEntry.makeFolder(folder)
        } catch {
            throw Failure(
                .failed, "\(member.name) cannot be restored to \(place): \(error.reason)",
                hint:
                    "an earlier database may have the name of its folder: restore it alone, "
                    + "strongroom backup restore \(ShellWord.text(member.path)) OUT")
        }
        guard FolderEntry(folder)?.kind == .folder else {
            throw Failure(
                .failed, "\(member.name) cannot be restored to \(place): \(folder) is no folder",
                hint:
                    "another database has that name: restore this one alone, strongroom backup restore "
                    + "\(ShellWord.text(member.path)) OUT")
        }
        return place
    }

    /// A folder may have been renamed, or exchanged with another one: the backups in it name their database.
    private func requireOwnName(
        _ member: BackupRoot.Member, _ repository: BackupRepository, _ set: RepositorySet,
        in context: CommandContext
    ) throws {
        let backup = try date.map { try repository.backup(at: $0) } ?? repository.lastBackup()
        // A folder may have been named by hand, for the database without its ending.
        guard let backup, case let name = backup.databaseName, name != member.databaseName,
            !name.hasPrefix(member.databaseName + ".")
        else { return }
        if let owner = set.owner(of: backup, besides: member) {
            let path = ShellWord.text(member.path)
            throw Failure(
                .failed,
                "the repository \(member.name) has a backup of \(name), which has its own repository "
                    + "\(owner.name): their folders may have been exchanged",
                hint:
                    "strongroom backup list \(path) shows the databases; to restore this one all the same: "
                    + "strongroom backup restore \(path) OUT")
        }
        context.warn(
            "the repository \(member.name) has a backup of \(name), which is restored as "
                + "\(member.databasePath ?? member.name)",
            hint: "if you did not rename its folder, find out who did")
    }

    /// A tag is no name of a backup; taken for OUT, it would hide that the last one is restored.
    private func requireNoTag(_ word: String, of repository: BackupRepository) throws {
        let tagged = (try? repository.readableBackups())?.backups.last { $0.tag == word }
        guard let tagged else { return }
        throw Failure.usage(
            "\(word) is the tag of backup \(tagged.number), and OUT is missing",
            hint:
                "strongroom backup restore \(ShellWord.text(path)) \(tagged.number) OUT; a file of that "
                + "name is ./\(word)")
    }

    private func restore(
        _ repository: BackupRepository, _ member: BackupRoot.Member?, to destination: String,
        _ keys: [CipherKey]?, in context: CommandContext
    ) throws {
        if name == nil, date == nil { try requireNoTag(destination, of: repository) }
        let name = try date.map { try repository.backup(at: $0).hash } ?? name
        let work = CommandProgress(context: context, title: "restoring")
        let backup = try work.run { progress in
            guard let keys else {
                return try repository.restore(
                    name, to: destination, overwrite: overwrites, progress: progress)
            }
            if let unlocker = try unlocker(
                keys, of: repository, name, for: destination, context)
            {
                return try repository.restore(
                    name, to: destination, unlockingWith: unlocker, overwrite: overwrites,
                    progress: progress)
            }
            return try repository.restore(
                name, to: destination, keys: keys, overwrite: overwrites, progress: progress)
        }
        for notice in backup.notices { context.warn(notice) }
        let checked = keys == nil ? "verified by hashes" : "verified and checked"
        try TransferResult.finishing("\(destination) is complete") { () throws(Failure) in
            if writesJSON {
                try context.output.writeLine(backup.json.withRequests.text(of: member))
            } else {
                try context.writeDone(
                    "restored backup \(backup.number) of \(backup.time) to \(destination): "
                        + "\(ByteCount.text(backup.byteCount)), \(checked)")
            }
            try context.output.flush()
        }
    }

    /// What opens the keyring that was stored with a backup, or a later one that lies beside the database: today's secret
    /// gives every earlier key.
    private func unlocker(
        _ secrets: [CipherKey], of repository: BackupRepository, _ name: String?,
        for destination: String, _ context: CommandContext
    ) throws -> Unlocker? {
        let (backup, stored, _) = try repository.readingKeyrings {
            try repository.storedKeyring(name, for: destination)
        }
        guard let stored else { return nil }
        let later =
            overwrites
            ? stored.later(besides: destination, knowing: backup.keyIdentifier) : nil
        if let keySource, case .unlockCommand = keySource {
            return try KeyReader(context: context)
                .unlocker(from: keySource, for: .opening(path: path))
        }
        return try secrets.lazy.map(Unlocker.parsing).first { unlocker in
            let (_, opened, _) = try repository.storedKeyring(
                name, for: destination, openedBy: unlocker)
            return try [later, opened].contains {
                try $0?.allKeys(ifOpenedBy: unlocker).isEmpty == false
            }
        }
    }
}
