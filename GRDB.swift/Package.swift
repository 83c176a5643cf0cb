// swift-tools-version: 6.2

// Strongroom under the name of GRDB: libraries that were written for GRDB import it, unchanged.
// `Documentation/MigratingFromGRDB.md` says how an app has all its packages use this one.

import PackageDescription

let package = Package(
    name: "GRDB",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "GRDB", targets: ["GRDB"]),
        .library(name: "GRDB-dynamic", type: .dynamic, targets: ["GRDB"]),
        .library(name: "GRDBSQLite", targets: ["GRDBSQLite"]),
    ],
    // With its name: the folder of a clone may have another.
    dependencies: [.package(name: "Strongroom", path: "..")],
    targets: [
        .target(name: "GRDB", dependencies: [.product(name: "Strongroom", package: "Strongroom")]),
        .target(
            name: "GRDBSQLite",
            dependencies: [.product(name: "Strongroom", package: "Strongroom")]),
    ]
)
