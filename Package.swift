// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Strongroom",
    // Built and tested on Linux, x86-64, alone. The versions below are those that the code is written
    // for: nothing was ever compiled on Apple's platforms, nor on arm64.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Strongroom", targets: ["Strongroom"]),
        .library(name: "StrongroomBackup", targets: ["StrongroomBackup"]),
        .executable(name: "strongroom", targets: ["StrongroomCommand"]),
    ],
    targets: [
        .systemLibrary(
            name: "CSQLCipher",
            pkgConfig: "sqlcipher",
            providers: [.apt(["libsqlcipher-dev"]), .brew(["sqlcipher"])]
        ),
        .systemLibrary(
            name: "COpenSSL",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),
        .target(name: "CMultiBuffer", publicHeadersPath: "."),
        .target(name: "LibC"),
        .target(
            name: "Strongroom",
            dependencies: ["CSQLCipher", "COpenSSL", "CMultiBuffer", "LibC"]
        ),
        .target(name: "StrongroomBackup", dependencies: ["Strongroom", "LibC"]),
        .target(name: "StrongroomCLI", dependencies: ["Strongroom", "StrongroomBackup", "LibC"]),
        .executableTarget(
            name: "StrongroomCommand",
            dependencies: ["StrongroomCLI"],
            // Without it, SQLCipher calls libc's function, not the program's.
            linkerSettings: [
                .unsafeFlags(
                    ["-Xlinker", "--export-dynamic-symbol=munlock"], .when(platforms: [.linux]))
            ]
        ),
        .executableTarget(
            name: "PackageCatalog",
            dependencies: ["Strongroom"],
            path: "Sources/Examples/PackageCatalog"
        ),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["Strongroom", "CSQLCipher", "CInstructions"],
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
            dependencies: ["Strongroom", "StrongroomTestSupport", "CSQLCipher", "CMultiBuffer"]
        ),
        .testTarget(
            name: "StrongroomBackupTests",
            dependencies: ["StrongroomBackup", "Strongroom", "StrongroomTestSupport"]
        ),
        .testTarget(
            name: "StrongroomCLITests",
            dependencies: ["StrongroomCLI", "StrongroomTestSupport", "CSQLCipher"]
        ),
        .testTarget(
            name: "PackageCatalogTests",
            dependencies: ["PackageCatalog", "Strongroom", "StrongroomTestSupport"]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
}

// The calls of an app, from wherever it makes them, in both language modes: the same files each time
// (Scripts/callers sees to it that nothing is missing there).
for (mode, name) in [(SwiftLanguageMode.v5, "Swift5"), (.v6, "Swift6")] {
    for isolation in ["Class", "MainActor", "Actor", "DefaultMainActor"] {
        let isDefault = isolation == "DefaultMainActor"
        package.targets.append(
            .testTarget(
                name: "Callers\(name)\(isolation)Tests",
                dependencies: ["Strongroom", "StrongroomTestSupport"],
                path: "Tests/Callers/\(name)\(isolation)",
                swiftSettings: [
                    .swiftLanguageMode(mode), .enableUpcomingFeature("MemberImportVisibility"),
                    .treatAllWarnings(as: .error),
                ] + (isDefault ? [.defaultIsolation(MainActor.self)] : [])))
    }
}

// Apps as they were written for GRDB, but for the name of the import. They use what is deprecated, too.
for (mode, name) in [(SwiftLanguageMode.v5, "Swift5"), (.v6, "Swift6")] {
    for app in ["Notebook", "Ledger", "Legacy"] {
        package.targets.append(
            .testTarget(
                name: "\(app)\(name)Tests",
                dependencies: ["Strongroom", "StrongroomTestSupport"],
                path: "Tests/Apps/\(name)\(app)",
                swiftSettings: [.swiftLanguageMode(mode)]))
    }
}

// What a build leaves out, with spaces between: names of targets, and folders or files of a target as
// TARGET/PATH. See .ci/run.
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
