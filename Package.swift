// swift-tools-version: 6.2
// The house as data: a folder, then its modules and what each may use; what those use is allowed.
// Behind a bar stands what a module's tests use besides. LayeringTests reads the same rows.
import PackageDescription

let house = """
    Shared/Domain
     Events, VectorGraphics, Geometry |, Media |, Numbers |
     Accuracy          Geometry VectorGraphics Numbers |
     Site              Events Geometry Numbers |
     SiteExchange      Site |, SiteSearch Site |, Simulation Site |, Access Site |, ScanSwitch Events |
     Sightings         Events |, Smoothing Events |
     SiteMap           Site VectorGraphics | Wire
     TimetablePictures Timetables VectorGraphics |, RoomAvailability Site |
     Wayfinding        Site | Simulation MapFormats
     Directions        Wayfinding | MapFormats SampleSites Simulation
     Positioning       Site | Simulation SampleSites
     Devices           Magnetic | SampleSites Simulation
     Privacy           Site | SampleSites
     Timetables        Site |, Barriers Site |
     RadioMapCare      Positioning Accuracy | Datasets Simulation
     Beacons           Positioning | Wire
     Magnetic          Positioning | Devices Simulation
    Shared/Adapters
     FaultPoints, Archive CArchive |, HTTPClient CCurl Cryptography Threads, WebSignatures CJose, Retrying | TestSupport
     Calendars CICal |, HTMLPages CXML2 |
     XML CExpat |, Pictures CPictures |, QRCodes CQRCode |, OpenStreetMap COsmium |
     JSON CSimdjson FaultPoints |
     Storage           HTTPClient Threads Cryptography XML | TestSupport
     Threads |, Cryptography CSodium CLibUUID COpenSSL |, ServiceRuntime CMalloc Retrying |
     Spool Cryptography |, MessageBus CDBus, Netlink CNetlink, MQTT CMosquitto Threads | TestSupport
     ChildProgram CSeccomp Threads |, HTTP CMicrohttpd Threads | HTTPClient TestSupport
     OpenIDConnect     WebSignatures HTTPClient Cryptography JSON | HTTP
     Postgres          CPostgres FaultPoints Retrying Threads | TestSupport
     Kafka             CKafka Threads | KafkaLog TestSupport
     EventLog          Retrying | MemoryLog TestSupport log-probe, MemoryLog EventLog |
     KafkaLog          EventLog Kafka FaultPoints Retrying Threads
     PostgresLog       EventLog Postgres FaultPoints Retrying
     LogViews          EventLog Postgres FaultPoints Retrying | PostgresLog MemoryLog TestSupport
    Shared
     Wire              Barriers Privacy RoomAvailability TimetablePictures SiteExchange SiteMap \
                       SiteSearch Beacons Devices Directions RadioMapCare Sightings Smoothing JSON \
                       EventLog Cryptography | Access
     Datasets          Wire Archive | Simulation, MapFormats Wire OpenStreetMap Archive | SampleSites
     Positioners       Wire ChildProgram ServiceRuntime
     RoomAnswers       ServiceHost Calendars Pictures | ServiceBench
     Backups           ServiceHost Storage | ServiceBench
     ServiceHost       Positioners Access ScanSwitch KafkaLog PostgresLog LogViews HTTP HTTPClient \
                       Archive | MemoryLog SampleSites TestSupport
    Services
     ScanIngest        ServiceHost MQTT | ServiceBench
     FingerprintBuilder  Backups | ServiceBench
     Locator           Backups | ServiceBench
     Router            ServiceHost | ServiceBench
     TimetableFetcher  Backups RoomAnswers HTMLPages | TestSupport
     SiteEditor       Backups MapFormats Media OpenIDConnect Pictures QRCodes | ServiceBench
    Services/scanner
     Scanning          Wire HTTP HTTPClient Spool ServiceRuntime MessageBus Netlink |
     scanner           Scanning
    Services/whereabouts
     Commands ScanIngest SiteEditor FingerprintBuilder Locator Router TimetableFetcher \
                       Datasets Simulation|
     whereabouts       Commands
    Tests/Support
     Repository, SeededRandomness Numbers, SampleSites Positioning
     PublicData        Archive Repository
     TestSupport       EventLog Postgres Repository
     ServiceBench      ServiceHost MemoryLog SampleSites TestSupport
     log-probe         KafkaLog PostgresLog
     import-fuzz       MapFormats Simulation PublicData SeededRandomness
    Tests/House
     LayeringTests, ExampleTests, DeployTests Commands, ImportFuzzTests TestSupport import-fuzz
     PositionerFuzzTests  Datasets
    Tests/System
     IntegrationTests  TestSupport HTTPClient SampleSites Wire
    Benchmarks
     http-load, bare-http CMicrohttpd CKafka, kafka-produce-peer CKafka
     kafka-transform-peer CKafka, postgres-commit-peer CPostgres, feeds-peer CCurl CICal
     benchmark         whereabouts MemoryLog TestSupport SampleSites SeededRandomness PublicData
    """
/// By pkg-config's name. Debian's packages are in deploy/steps.sh.
let systemLibraries = [
    "CArchive": "libarchive", "CCurl": "libcurl", "CDBus": "dbus-1", "CExpat": "expat",
    "CICal": "libical", "CJose": "cjose", "CKafka": "rdkafka", "CLibUUID": "uuid",
    "CMalloc": nil, "CMicrohttpd": "libmicrohttpd", "CMosquitto": "libmosquitto",
    "CNetlink": "libnl-genl-3.0",
    "COpenSSL": "libcrypto", "CPictures": "librsvg-2.0", "CPostgres": "libpq",
    "CQRCode": "libqrencode", "CSeccomp": "libseccomp", "CSodium": "libsodium",
    "CXML2": "libxml-2.0",
].map { Target.systemLibrary(name: $0, path: "Shared/C/\($0)", pkgConfig: $1) }
typealias Row = (module: String, path: String, uses: [String])
func read(_ entry: Substring, in section: String) -> [Row] {
    let words = entry.split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.split(separator: " ").map(String.init) }
    let (module, tests) = (words[0][0], "\(words[0][0])Tests")
    let hyphened = module.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
    let path = "\(section)/\(section == "Services" ? String(hyphened.dropFirst()) : module)"
    let place = "Tests/\(section.split(separator: "/").last!)/\(tests)"
    return [(module, path, Array(words[0].dropFirst()))]
        + words.dropFirst().map { (tests, place, [module] + $0) }
}
let rows = house.split(separator: "\n").reduce(into: (section: "", rows: [Row]())) { found, line in
    found.section = line.hasPrefix(" ") ? found.section : String(line)
    let entries = line.hasPrefix(" ") ? line.split(separator: ",") : []
    found.rows += entries.flatMap { read($0, in: found.section) }
}.rows
/// All that the modules may use, themselves included.
func closure(_ names: Set<String>) -> [String] {
    let all = names.union(rows.filter { names.contains($0.module) }.flatMap(\.uses))
    return all == names ? names.sorted() : closure(all)
}
let strict: [SwiftSetting] =
    [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
    + ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
    .map { .enableUpcomingFeature($0) }
/// Optimised in debug builds, too, since they or their tests compute for long.
let computing: Set = [
    "Geometry", "LayeringTests", "Numbers", "Positioning", "RadioMapCare", "Simulation",
    "Wayfinding",
]
/// deploy/test sets the variable: nobody else uses what it builds.
let isForTests = Context.environment["WHEREABOUTS_BUILD"] == "tested"
/// They compute little. deploy/test does not optimise them, because that takes longer than it saves.
let computingLittle: Set = [
    "Backups", "Commands", "Directions", "FingerprintBuilder", "Locator", "Positioners",
    "RoomAnswers", "Router", "ScanIngest", "Scanning", "ServiceHost", "SiteEditor",
    "SiteExchange", "SiteMap", "TimetableFetcher", "Wire",
]
/// Other tests are never optimised: that would take longer than it saves. SwiftPM refuses such flags
/// in a package that others depend on.
let isDependency = Context.packageDirectory.contains("/checkouts/")
func settings(_ name: String) -> [SwiftSetting] {
    guard !isDependency else { return strict }
    if computing.contains(name) {
        return strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]
    } else if name.hasSuffix("Tests") || isForTests && computingLittle.contains(name) {
        // Without the last flag the declarations are checked twice.
        let flags = ["-Onone", "-no-emit-module-separately-wmo"]
        return strict + [.unsafeFlags(flags, .when(configuration: .release))]
    }
    return strict
}
func target(_ name: String, _ path: String, _ uses: [String]) -> Target {
    let isTest = name.hasSuffix("Tests")
    let uses = closure(Set(uses + (isTest ? ["PublicData", "SeededRandomness"] : [])))
        .map { Target.Dependency.byName(name: $0) }
    if isTest {
        return .testTarget(
            name: name, dependencies: uses, path: path, swiftSettings: settings(name))
    } else if name.first!.isLowercase {
        return .executableTarget(name: name, dependencies: uses, path: path, swiftSettings: strict)
    }
    return .target(
        name: name, dependencies: uses, path: path,
        exclude: path.wholeMatch(of: #/Services\/[a-z-]+/#) == nil ? [] : ["README.md"],
        resources: name == "SiteEditor" ? [.embedInCode("web")] : [],
        swiftSettings: settings(name))
}
/// In C++. Assertions of libosmium would end the program over a damaged file; it throws as well.
func library(_ name: String, _ linked: String...) -> Target {
    .target(
        name: name, path: "Shared/C/\(name)", cxxSettings: [.define("NDEBUG")],
        linkerSettings: linked.map { .linkedLibrary($0) })
}
/// Benchmarks take a minute to build, and no test needs them.
let built = rows.filter { !isForTests || !$0.path.hasPrefix("Benchmarks/") }
let products = ["Beacons", "Positioning", "Wayfinding"]
let package = Package(
    name: "whereabouts", products: products.map { .library(name: $0, targets: closure([$0])) },
    targets: built.map(target) + systemLibraries
        + [library("CSimdjson", "simdjson"), library("COsmium", "expat", "z")])
