import Foundation
import Strongroom

/// Catalogues the packages of a Debian machine in an encrypted database.
@main
struct PackageCatalog {
    static func main() async {
        do {
            let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
            if arguments.wantsHelp {
                print(Arguments.help)
            } else {
                try await run(arguments)
            }
        } catch let error as Arguments.UsageError {
            fail("\(error)\n\n\(Arguments.help)", status: 2)
        } catch {
            fail("\(error)", status: 1)
        }
    }

    private static func run(_ arguments: Arguments) async throws {
        let catalog = try open(arguments)
        if arguments.watches {
            try await watch(catalog, asJSON: arguments.asJSON)
        } else {
            try importAndAnswer(arguments, catalog)
        }
        if arguments.rotatesKey { try catalog.rotateKey() }
        try catalog.close()
    }

    private static func open(_ arguments: Arguments) throws -> Catalog {
        guard arguments.keyFile.isEmpty else {
            let key = try CipherKey(contentsOfFile: arguments.keyFile)
            return try Catalog(path: arguments.database, key: key)
        }
        return try Catalog(
            path: arguments.database, keys: KeyStore(folder: arguments.keys))
    }

    /// Goes on until somebody ends the program, which is no failure then.
    private static func watch(_ catalog: Catalog, asJSON: Bool) async throws {
        let watching = Task {
            try await catalog.watch { totals in
                let line = try asJSON ? totals.json : totals.sentence
                // At once, even where the output is no terminal.
                try FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
            }
        }
        let interruption = Interruption { watching.cancel() }
        try await watching.value
        withExtendedLifetime(interruption) {}
    }

    private static func importAndAnswer(_ arguments: Arguments, _ catalog: Catalog) throws {
        if arguments.imports {
            try importPackages(arguments, catalog)
        }
        if arguments.answers {
            let answers = Answers(catalog: catalog, limit: arguments.top)
            try answers.printOverview()
            for name in arguments.dependsOn {
                try answers.printDependants(of: name)
            }
            for words in arguments.about {
                try answers.printPackages(about: words)
            }
            for name in arguments.show {
                try answers.printDetails(of: name)
            }
        }
    }

    private static func importPackages(_ arguments: Arguments, _ catalog: Catalog) throws {
        let path = arguments.status
        var status = try DpkgStatus(path: path)
        let report = try catalog.importPackages(
            from: &status, source: path, committingEvery: arguments.commitsEvery)
        for problem in status.problems {
            warn("\(path), \(problem)")
        }
        print(
            """
            Read \(report.packageCount) packages from \(path): \
            \(report.added) new, \(report.upgraded) upgraded, \
            \(report.unchanged) unchanged, \(report.removed) removed.
            """)
    }

    private static func warn(_ message: String) {
        FileHandle.standardError.write(Data("PackageCatalog: warning: \(message)\n".utf8))
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("PackageCatalog: error: \(message)\n".utf8))
        exit(status)
    }
}
