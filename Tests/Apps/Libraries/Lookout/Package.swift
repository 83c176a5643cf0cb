// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Lookout",
    platforms: [.macOS(.v15)],
    products: [.library(name: "Lookout", targets: ["Lookout"])],
    dependencies: [.package(url: "https://github.com/groue/GRDB.swift", from: "7.6.0")],
    targets: [
        .target(
            name: "Lookout",
            dependencies: [
                .product(name: "GRDB", package: "GRDB.swift")
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
