// swift-tools-version: 6.2

// An app over three libraries that name GRDB's address. The path below takes the place of that address.

import PackageDescription

let package = Package(
    name: "App",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(path: "../../../../GRDB.swift"), .package(path: "../Quern"),
        .package(path: "../Lookout"), .package(path: "../Groundwork"),
    ],
    targets: [
        .executableTarget(
            name: "App",
            dependencies: [
                .product(name: "GRDB", package: "GRDB.swift"), "Quern", "Lookout", "Groundwork",
            ])
    ],
    swiftLanguageModes: [.v6]
)
