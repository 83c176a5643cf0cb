import Foundation

/// How commands reach the folder of a repository.
enum RepositoryWay: CaseIterable {
    case path
    /// OpenSSH's server, on a pipe.
    case server

    private static let program = "/usr/lib/openssh/sftp-server"

    static let possible = allCases.filter { way in
        let isPossible = way == .path || FileManager.default.isExecutableFile(atPath: program)
        if !isPossible { print("left out, because it is not installed: openssh-sftp-server") }
        return isPossible
    }

    func place(_ folder: String) -> String {
        self == .path ? folder : "exec:exec \(Self.program) -d '\(folder)'"
    }
}
