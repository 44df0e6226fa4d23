// swift-tools-version: 6.2
// An example program outside of Whereabouts that locates with the library Beacons.
import PackageDescription

let package = Package(
    name: "quiet-beacons",
    dependencies: [.package(name: "whereabouts", path: "../..")],
    targets: [
        .executableTarget(
            name: "quiet-beacons", dependencies: [.product(name: "Beacons", package: "whereabouts")]
        )
    ])
