// swift-tools-version: 6.2
// The house as data: a folder, and in it a row for each module with what it may use; what those use it may
// use too. Behind a bar stands what its tests use besides. Tests/House/LayeringTests reads the same rows.
import PackageDescription

let house = """
    Shared/Domain
      Events
      Geometry          |
      VectorGraphics
      Media             |
      Accuracy          Geometry VectorGraphics |
      Site              Events Geometry |
      Access            Site |
      SiteExchange      Site |
      SiteSearch        Site |
      SiteMap           Site VectorGraphics | Wire
      Simulation        Site |
      Wayfinding        Site | Simulation MapFormats PublicData
      Directions        Wayfinding | MapFormats PublicData
      Positioning       Site Accuracy | Simulation SampleSites
      Devices           Positioning | PublicData SampleSites
      RadioMapCare      Positioning | Datasets Simulation PublicData
      Beacons           Positioning | Wire
      Magnetic          Positioning | Devices Simulation PublicData
    Shared/Adapters
      FaultPoints
      ServiceRuntime    CMalloc |
      JSON              CSimdjson FaultPoints |
      Cryptography      CSodium CLibUUID |
      Archive           CArchive
      XML               CExpat |
      OpenStreetMap     COsmium | Archive PublicData
      Pictures          CPictures |
      WebSignatures     CJose
      HTTP              CMicrohttpd | HTTPClient TestSupport
      HTTPClient        CCurl
      OpenIDConnect     WebSignatures HTTPClient Cryptography JSON | HTTP
      ChildProgram      CSeccomp |
      Postgres          CPostgres FaultPoints | TestSupport
      Kafka             CKafka | KafkaLog TestSupport
      EventLog          | KafkaLog PostgresLog TestSupport log-probe
      KafkaLog          EventLog Kafka FaultPoints
      PostgresLog       EventLog Postgres
      LogViews          EventLog Postgres | PostgresLog TestSupport
    Shared
      Wire              SiteExchange SiteMap Beacons Devices JSON EventLog Cryptography | Access Archive PublicData
      Datasets          Wire Archive | Simulation PublicData
      MapFormats        Wire OpenStreetMap Archive | PublicData
      Positioners       Wire ChildProgram ServiceRuntime
      ServiceHost       Positioners Access KafkaLog PostgresLog LogViews HTTP HTTPClient |
    Services
      scan-ingest       ServiceHost |
      fingerprint-builder  ServiceHost RadioMapCare Magnetic | TestSupport
      locator           ServiceHost Magnetic | TestSupport
      router            ServiceHost Directions
      site-editor       ServiceHost MapFormats SiteSearch Media OpenIDConnect Pictures XML | TestSupport
    Services/whereabouts
      Commands          ScanIngest SiteEditor FingerprintBuilder Locator Router Datasets MapFormats Simulation | PublicData
    Tests/Support
      Repository
      SeededRandomness
      PublicData        Archive Repository
      SampleSites       Positioning
      TestSupport       EventLog Postgres HTTPClient Repository
      log-probe         KafkaLog PostgresLog
      import-fuzz       MapFormats Simulation PublicData SeededRandomness
    Tests/Domain
      PositionerFuzzTests  Beacons Magnetic Datasets PublicData
    Tests/Shared
      ImportFuzzTests   TestSupport import-fuzz
    Tests/House
      LayeringTests
      DeployTests       Commands
    Tests/System
      IntegrationTests  TestSupport
    Benchmarks
      bare-http         CMicrohttpd CKafka
      http-load
      kafka-produce-peer  CKafka
      kafka-transform-peer  CKafka
      postgres-commit-peer  CPostgres
      benchmark         Commands TestSupport SeededRandomness PublicData bare-http http-load kafka-produce-peer kafka-transform-peer postgres-commit-peer
    """
/// By pkg-config's name; deploy/steps.sh has Debian's packages.
let systemLibraries = [
    "CArchive": "libarchive", "CCurl": "libcurl", "CExpat": "expat", "CJose": "cjose",
    "CKafka": "rdkafka", "CLibUUID": "uuid", "CMalloc": nil, "CMicrohttpd": "libmicrohttpd",
    "CPictures": "librsvg-2.0", "CPostgres": "libpq", "CSeccomp": "libseccomp",
    "CSodium": "libsodium",
]
let strict: [SwiftSetting] =
    [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
    + ["InternalImportsByDefault", "ExistentialAny", "MemberImportVisibility"]
    .map { .enableUpcomingFeature($0) }
struct Row {
    var section: String, folder: String, uses: [String], tests: [String]?
    /// The folder's name, a service's in capitals.
    var module: String {
        section != "Services"
            ? folder
            : folder.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
                .joined()
    }
}
var section = ""
let rows = house.split(separator: "\n").compactMap { line -> Row? in
    let words = line.split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.split(separator: " ").map(String.init) }
    guard line.hasPrefix(" ") else {
        section = words[0][0]
        return nil
    }
    return Row(
        section: section, folder: words[0][0], uses: Array(words[0].dropFirst()),
        tests: words.dropFirst().first)
}
/// All that the modules may use, themselves included.
func closure(_ names: [String]) -> [Target.Dependency] {
    let found = rows.filter { names.contains($0.module) }.flatMap(\.uses).filter {
        !names.contains($0)
    }
    return found.isEmpty ? names.map { .byName(name: $0) } : closure(names + Set(found).sorted())
}
func tests(_ name: String, _ section: String, _ uses: [String]) -> Target {
    .testTarget(
        name: name, dependencies: closure(uses + ["Repository", "SeededRandomness"]),
        path: "Tests/\(section)/\(name)",
        exclude: name == "WireTests" ? ["Golden", "check_documents.py"] : [], swiftSettings: strict)
}
let targets = rows.flatMap { row -> [Target] in
    let (path, uses) = ("\(row.section)/\(row.folder)", closure(row.uses))
    let last = String(row.section.split(separator: "/").last!)
    if row.folder.hasSuffix("Tests") { return [tests(row.folder, last, row.uses)] }
    if row.folder.contains("-") && row.section != "Services" || row.folder == "benchmark" {
        return [
            .executableTarget(
                name: row.folder, dependencies: uses, path: path, swiftSettings: strict)
        ]
    }
    return [
        .target(
            name: row.module, dependencies: uses, path: path,
            exclude: row.section == "Services" ? ["README.md", "main"] : [],
            resources: row.folder == "site-editor" ? [.embedInCode("web")] : [],
            swiftSettings: strict)
    ] + (row.tests.map { [tests("\(row.module)Tests", last, [row.module] + $0)] } ?? [])
}
let package = Package(
    name: "whereabouts",
    products: ["Beacons", "Positioning", "Wayfinding"].map { .library(name: $0, targets: [$0]) },
    targets: systemLibraries.map { .systemLibrary(name: $0, path: "Shared/C/\($0)", pkgConfig: $1) }
        + [
            .target(
                name: "CSimdjson", path: "Shared/C/CSimdjson",
                linkerSettings: [.linkedLibrary("simdjson")]),
            // Its assertions would end the program over a damaged file; it throws as well.
            .target(
                name: "COsmium", path: "Shared/C/COsmium", cxxSettings: [.define("NDEBUG")],
                linkerSettings: [.linkedLibrary("expat"), .linkedLibrary("z")]),
            .executableTarget(
                name: "whereabouts", dependencies: closure(["Commands"]),
                path: "Services/whereabouts/main", swiftSettings: strict),
        ] + targets
        + rows.filter { $0.section == "Services" }.map {
            .executableTarget(
                name: $0.folder, dependencies: closure([$0.module]),
                path: "Services/\($0.folder)/main",
                swiftSettings: strict)
        })
