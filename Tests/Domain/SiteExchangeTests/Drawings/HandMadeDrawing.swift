import Events
import Geometry
import Site
import SiteExchange

/// A DXF file that is written pair by pair.
struct HandMadeDrawing {
    private var header = ""
    private var layers = ""
    private var blocks = ""
    private var entities = ""

    /// - Parameter unit: the value of `$INSUNITS`.
    init(unit: Int? = 6, version: String = "AC1027") {
        header = Self.pairs([(9, "$ACADVER"), (1, version)])
        if let unit { header += Self.pairs([(9, "$INSUNITS"), (70, "\(unit)")]) }
    }

    static func pairs(_ pairs: [(Int, String)]) -> String {
        pairs.map { "\($0.0)\n\($0.1)\n" }.joined()
    }

    mutating func add(_ kind: String, layer: String = "walls", _ pairs: [(Int, String)]) {
        entities += Self.pairs([(0, kind), (8, layer)] + pairs)
    }

    mutating func outline(
        _ corners: [(Double, Double)], layer: String = "rooms", isClosed: Bool = true
    ) {
        let points = corners.flatMap { [(10, "\($0.0)"), (20, "\($0.1)")] }
        add("LWPOLYLINE", layer: layer, [(70, isClosed ? "1" : "0")] + points)
    }

    mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
        add("LINE", [(10, "\(x1)"), (20, "\(y1)"), (11, "\(x2)"), (21, "\(y2)")])
    }

    mutating func text(_ text: String, _ x: Double, _ y: Double, layer: String = "rooms") {
        add("TEXT", layer: layer, [(10, "\(x)"), (20, "\(y)"), (40, "0.2"), (1, text)])
    }

    mutating func hide(_ layer: String) {
        layers += Self.pairs([(0, "LAYER"), (2, layer), (70, "0"), (62, "-7")])
    }

    mutating func block(_ name: String, _ content: [(Int, String)]) {
        blocks += Self.pairs([(0, "BLOCK"), (2, name), (10, "0"), (20, "0")] + content)
        blocks += Self.pairs([(0, "ENDBLK")])
    }

    mutating func insert(
        _ name: String, _ x: Double, _ y: Double, layer: String = "rooms",
        _ further: [(Int, String)] = []
    ) {
        add("INSERT", layer: layer, [(2, name), (10, "\(x)"), (20, "\(y)")] + further)
    }

    var bytes: [UInt8] {
        func section(_ name: String, _ content: String) -> String {
            Self.pairs([(0, "SECTION"), (2, name)]) + content + Self.pairs([(0, "ENDSEC")])
        }
        let text =
            section("HEADER", header) + section("TABLES", layers) + section("BLOCKS", blocks)
            + section("ENTITIES", entities) + Self.pairs([(0, "EOF")])
        return Array(text.utf8)
    }

    /// The rooms that the import adds to an empty floor.
    func rooms(_ options: DrawingOptions = .init(floor: Self.floor)) throws -> [RoomRecord] {
        try imported(options).document.rooms
    }

    func imported(
        _ options: DrawingOptions = .init(floor: Self.floor), into site: SiteDocument = Self.site
    ) throws -> ImportedSite {
        try DrawingImport(DrawingFile(bytes), options).site(site)
    }

    static let floor = FloorID("ground")
    static let site = SiteDocument(
        name: "House", originLatitude: 51, originLongitude: 0, bearingDegrees: 0,
        buildings: [BuildingRecord(id: BuildingID("house"), name: "House", timeZone: "Etc/UTC")],
        floors: [
            FloorRecord(id: floor, building: BuildingID("house"), ordinal: 0, level: "0")
        ])
}
