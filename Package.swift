// swift-tools-version: 6.2

import CompilerPluginSupport
import Foundation
import PackageDescription

/// A SQLCipher of one's own, in the folder that `SQLCIPHER_PREFIX` names: before 4.7 it was installed
/// as `libsqlcipher`, with its header in `include/sqlcipher`; since then as `libsqlite3` and
/// `include/sqlite3.h`. Without it, pkg-config finds the system's.
struct OwnSQLCipher {
    let folder: String
    let library: String
    let include: String

    init?(prefix: String?) {
        guard let prefix, !prefix.isEmpty else { return nil }
        let old = "\(prefix)/include/sqlcipher"
        let isOld = FileManager.default.fileExists(atPath: old + "/sqlite3.h")
        include = isOld ? old : "\(prefix)/include"
        library = isOld ? "sqlcipher" : "sqlite3"
        folder = "\(prefix)/lib"
        guard FileManager.default.fileExists(atPath: include + "/sqlite3.h") else {
            let message =
                "SQLCIPHER_PREFIX=\(prefix): there is no sqlite3.h in its include folder\n"
            FileHandle.standardError.write(Data(message.utf8))
            exit(1)
        }
    }

    /// By its path: the folders that pkg-config names for others come before any other, and may have a
    /// plain `libsqlite3`.
    private var file: String {
        let names = ["so", "dylib", "a"].map { "\(folder)/lib\(library).\($0)" }
        return names.first { FileManager.default.fileExists(atPath: $0) } ?? names[0]
    }

    var swiftSettings: [SwiftSetting] { [.unsafeFlags(["-Xcc", "-I\(include)"])] }

    var linkerSettings: [LinkerSetting] {
        [.unsafeFlags(["-Xlinker", file, "-Xlinker", "-rpath", "-Xlinker", folder])]
    }
}

let own = OwnSQLCipher(prefix: Context.environment["SQLCIPHER_PREFIX"])
let tested: [Target.Dependency] = ["Strongroom", "StrongroomTestSupport"]

let package = Package(
    name: "Strongroom",
    // Built and tested on Linux, x86-64, alone. The versions below are those that the code is
    // written for: nothing was ever compiled on Apple's platforms, nor on arm64.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Strongroom", targets: ["Strongroom"]),
        .library(name: "StrongroomBackup", targets: ["StrongroomBackup"]),
        .library(name: "StrongroomTables", targets: ["StrongroomTables"]),
        .library(name: "StrongroomTablesRuntime", targets: ["StrongroomTablesRuntime"]),
        .library(name: "StrongroomTablesTesting", targets: ["StrongroomTablesTesting"]),
        .executable(name: "strongroom", targets: ["StrongroomCommand"]),
    ],
    targets: [
        .systemLibrary(
            name: "CSQLCipher",
            path: own == nil ? "Sources/CSQLCipher" : "Sources/CSQLCipher/Own",
            pkgConfig: own == nil ? "sqlcipher" : nil,
            providers: [.apt(["libsqlcipher-dev"]), .brew(["sqlcipher"])]
        ),
        .systemLibrary(
            name: "COpenSSL",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),
        .target(name: "CMultiBuffer", publicHeadersPath: "."),
        .target(name: "CArguments", publicHeadersPath: "."),
        .target(name: "LibC"),
        .target(name: "StrongroomEssentials"),
        .target(
            name: "StrongroomCore",
            dependencies: [
                "CSQLCipher", "COpenSSL", "CMultiBuffer", "LibC", "StrongroomEssentials",
            ]
        ),
        .target(name: "Strongroom", dependencies: ["StrongroomCore"]),
        .target(
            name: "StrongroomBackup",
            dependencies: ["StrongroomCore", "LibC", "StrongroomEssentials"]
        ),
        .target(
            name: "StrongroomSchema",
            dependencies: ["StrongroomCore", "StrongroomEssentials", "TableModel"]
        ),
        .target(
            name: "StrongroomTablesRuntime",
            dependencies: [
                "Strongroom", "StrongroomCore", "StrongroomEssentials", "LibC",
                "StrongroomSchema", "TableModel",
            ]
        ),
        .target(name: "StrongroomTablesTesting", dependencies: ["StrongroomTablesRuntime"]),
        .target(
            name: "StrongroomCLI",
            dependencies: [
                "StrongroomCore", "StrongroomBackup", "StrongroomSchema", "LibC",
                "StrongroomEssentials",
            ]
        ),
        .executableTarget(
            name: "StrongroomCommand",
            dependencies: ["StrongroomCLI", "CArguments", "LibC"],
            // Without it, SQLCipher calls libc's function, not the program's.
            linkerSettings: [
                .unsafeFlags(
                    ["-Xlinker", "--export-dynamic-symbol=munlock"], .when(platforms: [.linux]))
            ]
        ),
        .target(name: "TableModel"),
        .macro(name: "StrongroomTablesMacros", dependencies: ["TableModel"]),
        .target(
            name: "StrongroomTables",
            dependencies: ["StrongroomTablesRuntime", "StrongroomTablesMacros"]
        ),
        .executableTarget(
            name: "PackageCatalog",
            dependencies: ["Strongroom"],
            path: "Sources/Examples/PackageCatalog"
        ),
        .executableTarget(
            name: "Reminders",
            dependencies: ["StrongroomTables"],
            path: "Sources/Examples/Reminders"
        ),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["Strongroom", "StrongroomTables", "CSQLCipher", "CInstructions"],
            path: "Tests/Benchmarks",
            exclude: ["instructions.txt"]
        ),
        .systemLibrary(name: "CInstructions", path: "Tests/CInstructions"),
        .target(
            name: "StrongroomTestSupport",
            dependencies: ["Strongroom"],
            path: "Tests/StrongroomTestSupport"
        ),
        .testTarget(
            name: "StrongroomTests",
            dependencies: tested + ["StrongroomCore", "CSQLCipher", "CMultiBuffer"]
        ),
        .testTarget(
            name: "StrongroomTablesTests",
            dependencies: ["StrongroomTablesRuntime", "StrongroomTestSupport", "CSQLCipher"]
        ),
        .testTarget(
            name: "StrongroomBackupTests",
            dependencies: tested + ["StrongroomBackup", "StrongroomCore"]
        ),
        .testTarget(
            name: "StrongroomCLITests",
            dependencies: tested + ["StrongroomCLI", "StrongroomCore", "CSQLCipher"]
        ),
        .testTarget(
            name: "TableModelTests", dependencies: ["TableModel", "StrongroomTestSupport"]),
        .testTarget(name: "PackageCatalogTests", dependencies: tested + ["PackageCatalog"]),
        .testTarget(name: "RemindersTests", dependencies: ["Reminders", "StrongroomTestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

for name in ["StrongroomTablesMacrosTests", "TypedQueryTests", "LiveQueryTests"] {
    package.targets.append(
        .testTarget(
            name: name,
            dependencies: ["StrongroomTables", "StrongroomTablesTesting", "StrongroomTestSupport"]))
}

for target in package.targets where target.type != .system {
    target.swiftSettings =
        [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .treatAllWarnings(as: .error),
        ] + (own?.swiftSettings ?? [])
    if target.name == "StrongroomCore" { target.linkerSettings = own?.linkerSettings }
}

// Where the macros get swift-syntax: STRONGROOM_SWIFT_SYNTAX is `toolchain` (the modules that the
// compiler itself is made of), `package` (swift-syntax from its repository), `none` (no macros), or
// a directory (one with such modules, or a clone of swift-syntax). Without it, the toolchain's
// modules where there are any, else the package. SwiftPM reads the manifest of a dependency twice,
// at different places: nothing here depends on where it lies. Only the macro target has unsafe
// flags, and the library does not need it.
enum SwiftSyntaxSource {
    case modules(String), clone(String), package, none

    /// The modules next to the program that runs this manifest.
    static let toolchainModules: String? = {
        let program = "/proc/\(getppid())/exe"
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: program),
            let bin = path.range(of: "/bin/", options: .backwards)
        else { return nil }
        let modules = path[..<bin.lowerBound] + "/lib/swift/host"
        let hasModules = FileManager.default.fileExists(
            atPath: modules + "/SwiftSyntax.swiftmodule")
        return hasModules ? String(modules) : nil
    }()

    static let chosen: SwiftSyntaxSource = {
        switch Context.environment["STRONGROOM_SWIFT_SYNTAX"] ?? "" {
        case "": return toolchainModules.map { .modules($0) } ?? .package
        case "toolchain":
            guard let toolchainModules else { fatalError("this toolchain has no SwiftSyntax") }
            return .modules(toolchainModules)
        case "package": return .package
        case "none": return .none
        case let path:
            let isClone = FileManager.default.fileExists(atPath: path + "/Package.swift")
            return isClone ? .clone(path) : .modules(path)
        }
    }()
}

func addSwiftSyntax(to macros: Target, from package: String) {
    macros.dependencies += ["SwiftSyntaxBuilder", "SwiftSyntaxMacros", "SwiftCompilerPlugin"].map {
        .product(name: $0, package: package)
    }
}

if let macros = package.targets.first(where: { $0.type == .macro }) {
    switch SwiftSyntaxSource.chosen {
    case .none:
        package.targets.removeAll {
            [
                "StrongroomTablesMacros", "StrongroomTables", "StrongroomTablesMacrosTests",
                "TypedQueryTests", "LiveQueryTests", "Reminders", "RemindersTests",
            ]
            .contains($0.name)
        }
        package.products.removeAll { $0.name == "StrongroomTables" }
    case .package:
        package.dependencies.append(
            .package(
                url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"700.0.0"))
        addSwiftSyntax(to: macros, from: "swift-syntax")
    case .clone(let path):
        package.dependencies.append(.package(path: path))
        addSwiftSyntax(to: macros, from: URL(filePath: path).lastPathComponent)
    case .modules(let path):
        macros.swiftSettings = (macros.swiftSettings ?? []) + [.unsafeFlags(["-I", path])]
        let libraries = [
            "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros", "SwiftParser",
            "SwiftDiagnostics", "SwiftCompilerPluginMessageHandling",
        ]
        macros.linkerSettings = [
            .unsafeFlags(
                ["-L", path, "-Xlinker", "-rpath", "-Xlinker", path] + libraries.map { "-l\($0)" })
        ]
    }
}

// The calls of an app, from wherever it makes them, in both language modes: the same files each
// time (Scripts/callers sees to it that nothing is missing there).
for (mode, name) in [(SwiftLanguageMode.v5, "Swift5"), (.v6, "Swift6")] {
    for isolation in ["Class", "MainActor", "Actor", "DefaultMainActor"] {
        let isDefault = isolation == "DefaultMainActor"
        package.targets.append(
            .testTarget(
                name: "Callers\(name)\(isolation)Tests",
                dependencies: tested,
                path: "Tests/Callers/\(name)\(isolation)",
                swiftSettings: [
                    .swiftLanguageMode(mode), .enableUpcomingFeature("MemberImportVisibility"),
                    .treatAllWarnings(as: .error),
                ] + (isDefault ? [.defaultIsolation(MainActor.self)] : [])))
    }
}

// Apps as they were written for GRDB, but for the name of the import. They use what is deprecated,
// too.
for (mode, name) in [(SwiftLanguageMode.v5, "Swift5"), (.v6, "Swift6")] {
    for app in ["Notebook", "Ledger", "Legacy", "Atlas"] {
        package.targets.append(
            .testTarget(
                name: "\(app)\(name)Tests",
                dependencies: tested,
                path: "Tests/Apps/\(name)\(app)",
                swiftSettings: [.swiftLanguageMode(mode)]))
    }
}

// What a build leaves out, with spaces between: names of targets, and folders or files of a target
// as TARGET/PATH. See .ci/run.
let unwanted = (Context.environment["STRONGROOM_WITHOUT"] ?? "")
    .split(separator: " ").map(String.init)
for target in package.targets {
    let paths = unwanted.filter { $0.hasPrefix(target.name + "/") }
    target.exclude += paths.map { String($0.dropFirst(target.name.count + 1)) }
}
package.targets.removeAll { unwanted.contains($0.name) }
package.products.removeAll {
    unwanted.contains($0.name == "strongroom" ? "StrongroomCommand" : $0.name)
}
