import Foundation
import Strongroom

/// Catalogues the packages of a Debian machine in an encrypted database.
@main
struct PackageCatalog {
    static func main() {
        do {
            let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
            if arguments.wantsHelp {
                print(Arguments.help)
            } else {
                try run(arguments)
            }
        } catch let error as Arguments.UsageError {
            fail("\(error)\n\n\(Arguments.help)", status: 2)
        } catch {
            fail("\(error)", status: 1)
        }
    }

    private static func run(_ arguments: Arguments) throws {
        let key = try CipherKey(contentsOfFile: arguments.keyFile)
        let catalog = try Catalog(path: arguments.database, key: key)
        if arguments.imports {
            try importPackages(from: arguments.status, into: catalog)
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
        }
        try catalog.close()
    }

    private static func importPackages(from path: String, into catalog: Catalog) throws {
        var status = try DpkgStatus(path: path)
        let report = try catalog.importPackages(from: &status, source: path)
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
