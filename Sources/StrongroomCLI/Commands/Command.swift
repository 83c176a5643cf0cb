/// One subcommand: declared once, made from parsed arguments, run.
protocol Command {
    static var syntax: CommandSyntax { get }

    /// - Throws: a usage `Failure` for what the declaration alone cannot refuse.
    init(_ arguments: ParsedArguments) throws(Failure)

    func run(in context: CommandContext) throws
}

/// Every command, in the order of the help.
package enum CommandList {
    static var all: [any Command.Type] { others + [HelpCommand.self] }

    /// All but `help`, which needs their names.
    static var others: [any Command.Type] {
        [
            InfoCommand.self, CheckCommand.self, DoctorCommand.self, QueryCommand.self,
            ShellCommand.self,
            EncryptCommand.self, DecryptCommand.self, CopyCommand.self, SalvageCommand.self,
            RotateKeyCommand.self, KeygenCommand.self, KeyIDCommand.self,
            SchemaCheckCommand.self, SchemaDiffCommand.self, SchemaSwiftCommand.self,
        ] + key + backup + sync + [CompletionsCommand.self]
    }

    private static var key: [any Command.Type] {
        [
            KeyInitCommand.self, KeyListCommand.self, KeyAddCommand.self, KeyRemoveCommand.self,
            KeyChangeCommand.self, KeyRenameCommand.self, KeyTestCommand.self,
            KeyRecoveryCommand.self, KeyExportCommand.self, KeyIdentityCommand.self,
            KeyRepairCommand.self, KeyForgetCommand.self, KeyLogCommand.self, KeyVerifyCommand.self,
            KeyVouchCommand.self, KeyShredCommand.self,
        ]
    }

    private static var backup: [any Command.Type] {
        [
            BackupInitCommand.self, BackupStatusCommand.self, BackupCreateCommand.self,
            BackupListCommand.self,
            BackupVerifyCommand.self, BackupRestoreCommand.self, BackupPruneCommand.self,
            BackupForgetCommand.self, BackupRepairCommand.self, BackupRekeyCommand.self,
            BackupVerificationKeyCommand.self, BackupKeyringsCommand.self,
        ]
    }

    private static var sync: [any Command.Type] {
        [
            SyncInitCommand.self, SyncInviteCommand.self, SyncJoinCommand.self,
            SyncOnceCommand.self, SyncStatusCommand.self, SyncHeldCommand.self,
            SyncVerifyCommand.self, SyncResendCommand.self, SyncCompactCommand.self,
            SyncDetachCommand.self,
        ]
    }

    /// The command that some words begin with, and how many they are: `backup init` has two.
    static func command(_ words: [String]) -> (command: any Command.Type, wordCount: Int)? {
        for count in [2, 1] where words.count >= count {
            let name = words.prefix(count).joined(separator: " ")
            if let command = all.first(where: { $0.syntax.name == name }) {
                return (command, count)
            }
        }
        return nil
    }

    package static var syntaxes: [CommandSyntax] { all.map { $0.syntax } }
}
