// swift-tools-version: 6.2
// The architecture as data: every module, where it lives and what it may use.
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
]
func named(_ names: [String]) -> [Target.Dependency] { names.map { .byName(name: $0) } }
func library(_ name: String, _ path: String, _ uses: [String]) -> Target {
    .target(name: name, dependencies: named(uses), path: path, swiftSettings: strict)
}
func system(_ name: String, _ pkgConfig: String, apt: String) -> Target {
    .systemLibrary(
        name: name, path: "Shared/C/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}
func domain(_ name: String, _ uses: String...) -> Target {
    library(name, "Shared/Domain/\(name)", uses)
}
func adapter(_ name: String, _ uses: String...) -> Target {
    library(name, "Shared/Adapters/\(name)", uses)
}
/// A service is a library, so that `whereabouts serve` can run it too, and a few lines of `main`.
func service(
    _ folder: String, _ name: String, _ uses: String..., embedding: [String] = []
) -> [Target] {
    let frame = [
        "ServiceHost", "ServiceRuntime", "Wire", "Events", "Access", "EventLog", "HTTP", "JSON",
    ]
    return [
        .target(
            name: name, dependencies: named(frame + uses), path: "Services/\(folder)/\(name)",
            resources: embedding.map { .embedInCode($0) }, swiftSettings: strict),
        .executableTarget(
            name: folder, dependencies: named([name, "ServiceHost", "ServiceRuntime"]),
            path: "Services/\(folder)/main", swiftSettings: strict),
    ]
}
func tests(
    _ name: String, _ uses: String..., in folder: String = "Tests", leaving: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: named(uses), path: "\(folder)/\(name)", exclude: leaving,
        swiftSettings: strict)
}
let package = Package(
    name: "whereabouts",
    targets: [
        // C libraries
        system("CPostgres", "libpq", apt: "libpq-dev"),
        system("CKafka", "rdkafka", apt: "librdkafka-dev"),
        system("CMicrohttpd", "libmicrohttpd", apt: "libmicrohttpd-dev"),
        system("CCurl", "libcurl", apt: "libcurl4-openssl-dev"),
        system("CSodium", "libsodium", apt: "libsodium-dev"),
        system("CLibUUID", "uuid", apt: "uuid-dev"),
        system("CPictures", "librsvg-2.0", apt: "librsvg2-dev"),
        system("CJose", "cjose", apt: "libcjose-dev"),
        system("CExpat", "expat", apt: "libexpat1-dev"),
        .systemLibrary(name: "CMalloc", path: "Shared/C/CMalloc"),
        system("CArchive", "libarchive", apt: "libarchive-dev"),
        system("CSeccomp", "libseccomp", apt: "libseccomp-dev"),
        .target(
            name: "CSimdjson", path: "Shared/C/CSimdjson",
            linkerSettings: [.linkedLibrary("simdjson")]),
        .target(
            name: "COsmium", path: "Shared/C/COsmium",
            // Its assertions would end the program over a damaged file; it throws as well.
            cxxSettings: [.define("NDEBUG")],
            linkerSettings: [.linkedLibrary("expat"), .linkedLibrary("z")]),
        // Pure: values in, values out
        domain("Events"),
        domain("Access", "Events"),
        domain("Geometry"),
        domain("Media"),
        domain("Routing", "Geometry"),
        domain("Site", "Events", "Geometry"),
        domain("SiteImport", "Events", "Geometry", "Site"),
        domain("Wayfinding", "Routing", "Site", "Events", "Geometry"),
        domain("Directions", "Wayfinding", "Site", "Events", "Geometry"),
        domain("SiteSearch", "Events", "Site"),
        domain("VectorGraphics"),
        domain("SiteMap", "Events", "Geometry", "Site", "VectorGraphics"),
        domain("Positioning", "Events", "Geometry", "Site", "Accuracy"),
        domain("RadioMapCare", "Events", "Geometry", "Site", "Positioning"),
        domain("Bluetooth", "Events", "Geometry", "Site", "Positioning"),
        domain("Motion", "Events"),
        domain("Magnetic", "Events", "Geometry", "Positioning"),
        domain("Accuracy", "Geometry"),
        domain("AccuracyPlot", "Accuracy", "Geometry", "VectorGraphics"),
        domain("Visits", "Events", "Geometry", "Site"),
        domain("Accounts"),
        domain("Simulation", "Events", "Geometry", "Site"),
        // Each wraps one outside thing
        adapter("ServiceRuntime", "CMalloc"),
        adapter("JSON", "CSimdjson", "FaultPoints"),
        adapter("Cryptography", "CSodium", "CLibUUID"),
        adapter("Archive", "CArchive"),
        adapter("XML", "CExpat"),
        adapter("OpenStreetMap", "COsmium"),
        adapter("Pictures", "CPictures"),
        adapter("WebSignatures", "CJose"),
        adapter("OpenIDConnect", "WebSignatures", "HTTPClient", "Cryptography", "JSON"),
        adapter("HTTP", "CMicrohttpd"),
        adapter("HTTPClient", "CCurl"),
        adapter("ChildProgram", "CSeccomp"),
        adapter("Postgres", "CPostgres", "FaultPoints"),
        adapter("Kafka", "CKafka"),
        adapter("FaultPoints"),
        adapter("EventLog"),
        adapter("KafkaLog", "EventLog", "Kafka", "FaultPoints"),
        adapter("PostgresLog", "EventLog", "Postgres", "FaultPoints"),
        adapter("LogViews", "EventLog", "Postgres", "FaultPoints"),
        // The one place that knows domain and adapters, and the frame that services stand in
        library(
            "Wire", "Shared/Wire",
            [
                "Events", "Geometry", "Site", "SiteImport", "SiteMap", "Positioning", "Bluetooth",
                "Visits", "JSON", "EventLog", "Cryptography", "FaultPoints",
            ]),
        library(
            "ServiceHost", "Shared/ServiceHost",
            [
                "Wire", "Events", "Access", "EventLog", "KafkaLog", "PostgresLog", "LogViews",
                "Postgres", "HTTP", "HTTPClient", "JSON", "Cryptography", "ServiceRuntime", "Site",
                "Positioning", "Bluetooth", "ChildProgram",
            ]),
        // Data sets as they are handed out, read for import and for accuracy
        library(
            "Datasets", "Services/whereabouts/Datasets",
            [
                "Archive", "JSON", "Wire", "Events", "Geometry", "Site", "Positioning", "Accuracy",
            ]),
        // Maps that others drew, read as sites
        library(
            "MapFormats", "Services/whereabouts/MapFormats",
            ["OpenStreetMap", "Archive", "Wire", "Events", "SiteImport", "Geometry"]),
        // The one binary for people: a file a command
        library(
            "WhereaboutsCommands", "Services/whereabouts/WhereaboutsCommands",
            [
                "Datasets", "Archive", "JSON", "Wire", "Events", "Access", "Site", "SiteMap",
                "Pictures",
                "Positioning", "Magnetic",
                "Accuracy", "AccuracyPlot", "Geometry", "Simulation", "EventLog", "HTTPClient",
                "Postgres",
                "LogViews", "Cryptography", "MapFormats", "SiteImport",
                "ServiceRuntime", "ServiceHost", "SiteEditor", "FingerprintBuilder", "ScanIngest",
                "Locator", "Router",
            ]),
        .executableTarget(
            name: "whereabouts", dependencies: named(["WhereaboutsCommands"]),
            path: "Services/whereabouts/main", swiftSettings: strict),
        // Peers and load for the benchmarks, in C
        .executableTarget(
            name: "bare-http", dependencies: ["CMicrohttpd", "CKafka"], path: "Benchmarks/bare-http"
        ),
        .executableTarget(name: "http-load", path: "Benchmarks/http-load"),
        .executableTarget(
            name: "kafka-produce-peer", dependencies: ["CKafka"],
            path: "Benchmarks/kafka-produce-peer"),
        .executableTarget(
            name: "kafka-transform-peer", dependencies: ["CKafka"],
            path: "Benchmarks/kafka-transform-peer"),
        // Programs that print ratios against a peer measured in the same run
        .executableTarget(
            name: "postgres-commit-peer", dependencies: ["CPostgres"],
            path: "Benchmarks/postgres-commit-peer"),
        .executableTarget(
            name: "benchmark",
            dependencies: named([
                "TestSupport", "SeededRandomness", "PublicData", "Datasets", "Archive",
                "OpenStreetMap", "Routing", "SiteSearch", "SiteImport", "MapFormats", "Simulation",
                "Positioning", "Site", "Geometry", "Wire", "Events", "EventLog", "KafkaLog",
                "PostgresLog", "Kafka", "Postgres", "Cryptography", "JSON", "HTTPClient",
                "scan-ingest", "site-editor", "router", "bare-http", "http-load",
                "kafka-produce-peer", "kafka-transform-peer", "postgres-commit-peer", "whereabouts",
            ]), path: "Benchmarks/benchmark", swiftSettings: strict),
        library("TestSupport", "Tests/TestSupport", ["EventLog", "Postgres", "HTTPClient"]),
        .executableTarget(
            name: "import-fuzz",
            dependencies: named([
                "MapFormats", "SiteImport", "Simulation", "Archive", "PublicData", "Site", "Events",
                "Wire",
                "JSON", "SeededRandomness",
            ]),
            path: "Tests/import-fuzz", swiftSettings: strict),
        library("SeededRandomness", "Tests/SeededRandomness", []),
        library("PublicData", "Tests/PublicData", ["Archive"]),
        tests("MediaTests", "Media"),
        tests("AccessTests", "Access", "Events", "SeededRandomness"),
        tests("GeometryTests", "Geometry", "SeededRandomness"),
        tests("RoutingTests", "Routing", "Geometry", "SeededRandomness"),
        tests("SiteTests", "Site", "Events", "Geometry"),
        tests(
            "DirectionsTests", "Directions", "Wayfinding", "Site", "Events", "Geometry",
            "MapFormats", "SiteImport", "PublicData", "SeededRandomness"),
        tests("SiteSearchTests", "SiteSearch", "Site", "Events", "SeededRandomness"),
        tests("SiteMapTests", "SiteMap", "Wire", "Site", "Events", "Geometry", "SeededRandomness"),
        tests("PicturesTests", "Pictures"),
        tests(
            "WayfindingTests", "Wayfinding", "Routing", "Simulation", "Site", "SiteImport",
            "Events",
            "Geometry", "Wire", "OpenStreetMap", "Archive", "PublicData", "SeededRandomness"),
        tests("SiteImportTests", "SiteImport", "Site", "Events", "Geometry", "SeededRandomness"),
        tests(
            "SiteExchangeTests", "Wire", "SiteImport", "Site", "Events", "Geometry", "Archive",
            "JSON", "PublicData", "SeededRandomness"),
        tests(
            "PositioningTests", "Positioning", "Simulation", "Site", "Events", "Geometry",
            "SeededRandomness"),
        tests(
            "PositionerFuzzTests", "Positioning", "Bluetooth", "Magnetic", "Wire", "Site", "Events",
            "Geometry", "Archive", "Datasets", "PublicData", "SeededRandomness"),
        tests(
            "RadioMapCareTests", "RadioMapCare", "Positioning", "Simulation", "Datasets", "Archive",
            "Site",
            "Events", "Geometry", "PublicData", "SeededRandomness"),
        tests(
            "BluetoothTests", "Bluetooth", "Wire", "Positioning", "Site", "Events", "Geometry",
            "SeededRandomness"),
        tests(
            "MagneticTests", "Magnetic", "Motion", "Positioning", "Simulation", "Site", "Events",
            "Geometry", "PublicData", "SeededRandomness"),
        tests("MotionTests", "Motion", "Events", "PublicData", "SeededRandomness"),
        tests(
            "VisitsTests", "Visits", "Positioning", "Events", "Geometry", "Site", "SeededRandomness"
        ),
        tests("AccuracyTests", "Accuracy", "AccuracyPlot", "Geometry", "SeededRandomness"),
        tests("SimulationTests", "Simulation", "Site", "Events", "Geometry"),
        tests("ServiceRuntimeTests", "ServiceRuntime"),
        tests("JSONTests", "JSON", "SeededRandomness"),
        tests("XMLTests", "XML"),
        tests("CryptographyTests", "Cryptography"),
        tests("AccountsTests", "Accounts"),
        tests(
            "OpenIDConnectTests", "OpenIDConnect", "WebSignatures", "CJose", "HTTP", "HTTPClient",
            "Cryptography", "JSON"),
        tests("OpenStreetMapTests", "OpenStreetMap", "Archive", "PublicData", "SeededRandomness"),
        tests("HTTPTests", "HTTP", "HTTPClient", "TestSupport"),
        tests("ChildProgramTests", "ChildProgram"),
        tests("PostgresTests", "Postgres", "TestSupport"),
        .executableTarget(
            name: "log-probe",
            dependencies: named(["EventLog", "KafkaLog", "PostgresLog", "Postgres"]),
            path: "Tests/log-probe", swiftSettings: strict),
        tests("KafkaTests", "Kafka", "KafkaLog", "EventLog", "TestSupport"),
        tests(
            "EventLogTests", "EventLog", "KafkaLog", "PostgresLog", "Kafka", "Postgres",
            "SeededRandomness", "TestSupport", "log-probe"),
        tests("LogViewsTests", "LogViews", "EventLog", "PostgresLog", "Postgres", "TestSupport"),
        tests(
            "WireTests", "Wire", "JSON", "Cryptography", "Events", "EventLog", "Positioning",
            "Visits", "Site",
            "Geometry",
            "SeededRandomness",
            leaving: ["Golden", "check_documents.py"]),
        tests(
            "DatasetsTests", "Datasets", "Archive", "Wire", "Events", "Positioning", "Accuracy",
            "Simulation", "PublicData"),
        tests(
            "ServiceHostTests", "ServiceHost", "Access", "HTTP", "ServiceRuntime", "EventLog",
            "Positioning", "Site", "Events", "Geometry"),
        tests(
            "WhereaboutsCommandsTests", "WhereaboutsCommands", "EventLog", "HTTP", "HTTPClient",
            "JSON", "ServiceHost", "ServiceRuntime", "Wire",
            "Events", "Site",
            "PublicData"),
        tests(
            "SiteEditorTests", "SiteEditor", "Site", "Events", "HTTP", "LogViews", "Media",
            "Postgres", "TestSupport"),
        tests(
            "FingerprintBuilderTests", "FingerprintBuilder", "Positioning", "Events", "Geometry",
            "Postgres", "TestSupport"),
        tests("ScanIngestTests", "ScanIngest", "HTTP", "Events", "SeededRandomness"),
        tests(
            "LocatorTests", "Locator", "LogViews", "ServiceHost", "ServiceRuntime", "Postgres",
            "Wire", "Events", "EventLog", "HTTP", "Positioning", "Magnetic", "Bluetooth", "Visits",
            "Site", "Geometry", "TestSupport", "SeededRandomness"),
        tests(
            "MapFormatsTests", "MapFormats", "SiteImport", "Site", "Events", "PublicData"),
        tests("ImportFuzzTests", "TestSupport", "import-fuzz"),
        tests("LayeringTests"),
        tests("DeployTests", "WhereaboutsCommands", "ServiceHost", "ServiceRuntime", "Wire"),
        tests("IntegrationTests", "TestSupport", "HTTPClient", "Postgres", in: "Tests/System"),
    ]
        + service("scan-ingest", "ScanIngest", "Positioning", "Site", "FaultPoints")
        + service(
            "site-editor", "SiteEditor", "Accounts", "OpenIDConnect", "Site", "SiteImport",
            "Geometry", "Media", "SiteSearch",
            "SiteMap", "Pictures",
            "ChildProgram", "Archive", "XML",
            "LogViews",
            "Postgres", "Cryptography",
            embedding: [
                "web/index.html", "web/page.css", "web/page.js", "web/sign-in.html",
                "web/join.html", "web/account.html", "web/people.js",
            ])
        + service(
            "fingerprint-builder", "FingerprintBuilder", "Positioning", "RadioMapCare", "Magnetic",
            "Geometry", "Site", "LogViews", "Postgres", "Cryptography")
        + service(
            "locator", "Locator", "Positioning", "Magnetic", "Bluetooth", "Geometry", "Motion",
            "Visits", "Site", "LogViews",
            "Postgres", "FaultPoints",
            "Cryptography",
            "HTTPClient")
        + service(
            "router", "Router", "Directions", "Wayfinding", "Site", "Geometry", "HTTPClient")
)
