// swift-tools-version: 6.2
// A program of somebody else's that locates with the library Beacons.
import PackageDescription

let package = Package(
    name: "quiet-beacons",
    dependencies: [.package(name: "whereabouts", path: "../..")],
    targets: [
        .executableTarget(
            name: "quiet-beacons", dependencies: [.product(name: "Beacons", package: "whereabouts")]
        )
    ])
