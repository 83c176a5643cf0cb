// swift-tools-version: 6.2

import CompilerPluginSupport
import Foundation
import PackageDescription

/// A SQLCipher of one's own, in the folder that `SQLCIPHER_PREFIX` names: before 4.7 it was installed
/// as `libsqlcipher`, with its header in `include/sqlcipher`; since then as `libsqlite3` and
/// `include/sqlite3.h`. Without it, pkg-config finds the system's.
struct OwnSQLCipher {
    let folder, library, include: String

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
let core: [Target.Dependency] = ["StrongroomCore", "StrongroomEssentials"]
let stores: [Target.Dependency] = ["StrongroomKeyrings", "StrongroomSFTP"]
let synced: [Target.Dependency] = core + ["StrongroomKeyrings", "StrongroomSchema"]
let tested: [Target.Dependency] = ["Strongroom", "StrongroomTestSupport"]

let package = Package(
    name: "Strongroom",
    // Built and tested on Linux, x86-64, alone. The versions below are those that the code is
    // written for: nothing was ever compiled on Apple's platforms, nor on arm64.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        "Strongroom", "StrongroomBackup", "StrongroomKeyrings", "StrongroomSync",
        "StrongroomTables",
        "StrongroomTablesRuntime", "StrongroomTablesTesting",
    ].map { .library(name: $0, targets: [$0]) } + [
        .executable(name: "strongroom", targets: ["StrongroomCommand"]),
        .plugin(name: "CheckTables", targets: ["CheckTables"]),
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
        .target(name: "StrongroomKeyrings", dependencies: core + ["LibC"]),
        .target(name: "StrongroomSFTP", dependencies: ["StrongroomCore", "LibC"]),
        .target(name: "StrongroomBackup", dependencies: core + stores + ["LibC"]),
        .target(name: "StrongroomSchema", dependencies: core + ["TableModel"]),
        .target(name: "StrongroomSync", dependencies: synced + ["LibC"]),
        .target(
            name: "StrongroomTablesRuntime",
            dependencies: core + ["Strongroom", "LibC", "StrongroomSchema", "TableModel"]),
        .target(name: "StrongroomTablesTesting", dependencies: ["StrongroomTablesRuntime"]),
        .target(
            name: "StrongroomCLI",
            dependencies: synced + ["StrongroomBackup", "StrongroomSFTP", "StrongroomSync", "LibC"]),
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
        .target(name: "TableReading", dependencies: ["TableModel"]),
        .macro(name: "StrongroomTablesMacros", dependencies: ["TableModel", "TableReading"]),
        .target(
            name: "StrongroomTables",
            dependencies: ["StrongroomTablesRuntime", "StrongroomTablesMacros"]),
        .executableTarget(
            name: "StrongroomTablesCheck",
            dependencies: core + ["LibC", "StrongroomSchema", "TableModel", "TableReading"]),
        .plugin(
            name: "CheckTables",
            capability: .command(
                intent: .custom(
                    verb: "check-tables", description: "Compares @Table types with a schema.")),
            dependencies: ["StrongroomTablesCheck"],
            path: "Sources/CheckTables"
        ),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["StrongroomTables", "StrongroomSync", "CSQLCipher", "CMeasuring"],
            path: "Tests/Benchmarks",
            exclude: ["instructions.txt"]
        ),
        .systemLibrary(name: "CMeasuring", path: "Tests/CMeasuring"),
        .target(
            name: "StrongroomTestSupport", dependencies: ["Strongroom"],
            path: "Tests/StrongroomTestSupport"),
        .testTarget(
            name: "StrongroomTests",
            dependencies: tested + ["StrongroomCore", "CSQLCipher", "CMultiBuffer"]),
        .testTarget(
            name: "StrongroomTablesTests",
            dependencies: ["StrongroomTablesRuntime", "StrongroomTestSupport", "CSQLCipher"]),
        .testTarget(
            name: "StrongroomBackupTests",
            dependencies: tested + stores + ["StrongroomBackup", "StrongroomCore"]),
        .testTarget(
            name: "StrongroomKeyringsTests",
            dependencies: tested + ["StrongroomKeyrings", "StrongroomCore"]),
        .testTarget(
            name: "StrongroomSyncTests",
            dependencies: tested + synced + ["StrongroomSync", "CSQLCipher"]),
        .testTarget(
            name: "StrongroomCLITests",
            dependencies: tested + ["StrongroomCLI", "StrongroomCore", "CSQLCipher", "SharedList"]),
        .testTarget(
            name: "TableModelTests", dependencies: ["TableModel", "StrongroomTestSupport"]),
        .testTarget(
            name: "SyncedTablesTests",
            dependencies: tested + ["StrongroomTables", "StrongroomSync"]),
        .testTarget(name: "PackageCatalogTests", dependencies: tested + ["PackageCatalog"]),
        .testTarget(name: "RemindersTests", dependencies: ["Reminders", "StrongroomTestSupport"]),
        .testTarget(
            name: "StrongroomTablesCheckTests",
            dependencies: ["StrongroomTablesCheck", "StrongroomTestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

for (name, libraries) in [
    ("PackageCatalog", ["Strongroom"]), ("Reminders", ["StrongroomTables", "StrongroomBackup"]),
    ("SharedList", ["Strongroom", "StrongroomSync"]),
] {
    let needed = libraries.map { Target.Dependency.byName(name: $0) }
    let path = "Sources/Examples/\(name)"
    package.targets.append(.executableTarget(name: name, dependencies: needed, path: path))
}

for name in ["StrongroomTablesMacrosTests", "TypedQueryTests", "LiveQueryTests"] {
    let check: [Target.Dependency] = name == "TypedQueryTests" ? ["StrongroomTablesCheck"] : []
    let tables: [Target.Dependency] = ["StrongroomTables", "StrongroomTablesTesting"]
    package.targets.append(
        .testTarget(name: name, dependencies: tables + check + ["StrongroomTestSupport"]))
}

for target in package.targets where ![.system, .plugin].contains(target.type) {
    target.swiftSettings =
        [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .treatAllWarnings(as: .error),
        ] + (own?.swiftSettings ?? [])
    if target.name == "StrongroomCore" { target.linkerSettings = own?.linkerSettings }
}

// What a build leaves out, with spaces between: names of targets, and folders or files of a target
// as TARGET/PATH. See Scripts/rest and Scripts/sanitize. What depends on such a target is left out, too.
var unwanted = Set(
    (Context.environment["STRONGROOM_WITHOUT"] ?? "").split(separator: " ").map(String.init))

// Where these targets get swift-syntax: STRONGROOM_SWIFT_SYNTAX is `toolchain` (the modules that the
// compiler is made of), `package` (its repository), `none` (nothing that needs it), or a directory (such
// modules, or a clone). Without it, the toolchain's where there are any, else the package. SwiftPM reads the
// manifest of a dependency twice, at different places: nothing here depends on where it lies. These targets
// alone have unsafe flags, and the library does not need them.
let syntaxLibraries = [
    "TableReading": ["SwiftSyntax", "SwiftParser"],
    "StrongroomTablesMacros": [
        "SwiftSyntaxBuilder", "SwiftSyntaxMacros", "SwiftParser", "SwiftDiagnostics",
        "SwiftCompilerPlugin",
    ],
    "StrongroomTablesCheck": ["SwiftSyntax", "SwiftParser"],
    // They see the modules that a module imports which they import.
    "StrongroomTablesCheckTests": [], "TypedQueryTests": [],
]

/// The modules next to the program that runs this manifest.
let toolchainModules: String? = {
    let program = "/proc/\(getppid())/exe"
    guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: program),
        let bin = path.range(of: "/bin/", options: .backwards)
    else { return nil }
    let modules = path[..<bin.lowerBound] + "/lib/swift/host"
    let hasModules = FileManager.default.fileExists(atPath: modules + "/SwiftSyntax.swiftmodule")
    return hasModules ? String(modules) : nil
}()

@MainActor func useSwiftSyntax(of dependency: Package.Dependency, named name: String) {
    package.dependencies.append(dependency)
    for target in package.targets {
        let libraries = syntaxLibraries[target.name] ?? []
        target.dependencies += libraries.map { .product(name: $0, package: name) }
    }
}

@MainActor func useSwiftSyntax(inModules path: String) {
    for target in package.targets {
        guard let libraries = syntaxLibraries[target.name] else { continue }
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-I", path])]
        // The toolchain has what a plugin is made of, and no plugin.
        let names = libraries.map {
            $0.replacing("CompilerPlugin", with: "CompilerPluginMessageHandling")
        }
        let flags = ["-L", path, "-Xlinker", "-rpath", "-Xlinker", path] + names.map { "-l\($0)" }
        target.linkerSettings = [.unsafeFlags(flags)]
    }
}

switch Context.environment["STRONGROOM_SWIFT_SYNTAX"] ?? "" {
case "none": unwanted.formUnion(syntaxLibraries.keys)
case "package",
    "" where toolchainModules == nil:
    let url = "https://github.com/swiftlang/swift-syntax"
    useSwiftSyntax(of: .package(url: url, "602.0.0"..<"700.0.0"), named: "swift-syntax")
case "", "toolchain":
    guard let toolchainModules else { fatalError("this toolchain has no SwiftSyntax") }
    useSwiftSyntax(inModules: toolchainModules)
case let path where FileManager.default.fileExists(atPath: path + "/Package.swift"):
    useSwiftSyntax(of: .package(path: path), named: URL(filePath: path).lastPathComponent)
case let path: useSwiftSyntax(inModules: path)
}

// In both language modes, and the same files each time: the calls of an app, from wherever it makes
// them (Scripts/callers sees to it that nothing is missing there), and apps as they were written for
// GRDB, but for the name of the import. They use what is deprecated, too.
for (mode, name) in [(SwiftLanguageMode.v5, "Swift5"), (.v6, "Swift6")] {
    for isolation in ["Class", "MainActor", "Actor", "DefaultMainActor", "Tables", "Snippets"] {
        let isTables = isolation == "Tables"
        let more = ["Tables": ["StrongroomTables"], "Snippets": ["CSQLCipher"]][isolation] ?? []
        let isDefault = isolation == "DefaultMainActor" || (isTables && name == "Swift6")
        package.targets.append(
            .testTarget(
                name: "Callers\(name)\(isolation)Tests",
                dependencies: tested + more.map { .byName(name: $0) },
                path: "Tests/Callers/\(name)\(isolation)",
                swiftSettings: [
                    .swiftLanguageMode(mode), .enableUpcomingFeature("MemberImportVisibility"),
                    .treatAllWarnings(as: .error),
                ] + (isDefault ? [.defaultIsolation(MainActor.self)] : [])))
    }
    for app in ["Notebook", "Ledger", "Legacy", "Atlas"] {
        package.targets.append(
            .testTarget(
                name: "\(app)\(name)Tests",
                dependencies: tested,
                path: "Tests/Apps/\(name)\(app)",
                swiftSettings: [.swiftLanguageMode(mode)]))
    }
}

for target in package.targets {
    let paths = unwanted.filter { $0.hasPrefix(target.name + "/") }.sorted()
    target.exclude += paths.map { String($0.dropFirst(target.name.count + 1)) }
}
while let index = package.targets.firstIndex(where: { target in
    let needed = target.dependencies.compactMap {
        if case .byNameItem(let name, _) = $0 { name } else { nil }
    }
    return !unwanted.isDisjoint(with: needed + [target.name])
}) {
    unwanted.insert(package.targets.remove(at: index).name)
}
package.products.removeAll {
    unwanted.contains($0.name == "strongroom" ? "StrongroomCommand" : $0.name)
}
