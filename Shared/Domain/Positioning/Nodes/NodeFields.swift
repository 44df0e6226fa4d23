import Events
import Geometry
import Glibc
import Site

/// The cells of a site where nodes may hear a device, and the strength at which each node hears it
/// in each cell. Everything that does not depend on a scan.
struct NodeFields: Sendable {
    static let pitchMetres = 1.0
    /// Cells farther from a node than this, in plan, are never where it hears a device best.
    static let reachMetres = 25.0
    /// Devices behind more floors are hardly heard.
    static let mostFloorsBetween = 1
    /// Nodes within this many metres of the strongest one should hear the device too.
    static let neighbourMetres = 15.0
    /// The share of devices in passages, stairs and lifts, against rooms of the same size. Hardly
    /// anybody stays there.
    static let passageShare: Float = 0.1

    struct Cell: Hashable, Sendable {
        var point: Point
        /// An index into the site's floors.
        var floor: Int32
        /// An index into the site's rooms; -1 outside of every room.
        var room: Int32
        /// Metres above the floor of ordinal 0.
        var elevation: Float
        /// The logarithm of the share of devices here.
        var prior: Float
    }

    /// A node with its field.
    struct Node: Sendable {
        var scanner: ScannerID
        var point: Point
        var elevation: Float
        /// The deviation of a reading from the expected strength, in dB.
        var deviation: Float
        /// The expected strength at one metre, in dBm, and the path loss exponent.
        var base: Float
        var exponent: Float
        /// Whether links show that it hears as well as its figures say.
        var isCalibrated: Bool
        /// The cells around the node, ascending.
        var cells: [Int32]
        /// dBm, for each of its cells.
        var rssi: [Float]

        /// The nodes that stand near it, by number.
        var neighbours: [Int] = []

        /// The deviation in metres of the distance that a strength shows.
        func metres(_ rssi: Float, deviation: Float) -> Float {
            let slope = 10 * exponent / Float(M_LN10)
            return max(1, exp((base - rssi) / slope)) * deviation / slope
        }

        /// The expected strength in each of these ascending cells, in dBm; not a number beyond the
        /// node's reach.
        func rssi(in wanted: [Int32], into strengths: inout [Float]) {
            strengths.removeAll(keepingCapacity: true)
            var position = 0
            for cell in wanted {
                while position < cells.count, cells[position] < cell { position += 1 }
                let isReached = position < cells.count && cells[position] == cell
                strengths.append(isReached ? rssi[position] : .nan)
            }
        }
    }

    private(set) var cells: [Cell] = []
    /// Ordered by scanner; nodes that are deaf are left out.
    private(set) var nodes: [Node] = []
    let numberByScanner: [ScannerID: Int]

    init(_ site: SiteIndex, _ model: NodeHearingModel) {
        let scanners = site.document.scanners.filter { !model.deaf.contains($0.id) }
            .sorted { $0.id < $1.id }
        numberByScanner = Dictionary(
            scanners.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { $1 })
        let paths = RadioPaths(site)
        var grids: [FloorIndex: FloorSlots] = [:]
        for scanner in scanners {
            // Every scanner's floor is in a valid site.
            let home = site.floorIndex(scanner.floor)!
            let place = RadioPlace(
                floor: home, point: scanner.point,
                height: scanner.heightMetres ?? RadioPaths.usualHeightMetres)
            let facts = model.node(scanner.id)
            var heard: [(cell: Int32, rssi: Float)] = []
            for floor in Self.floors(around: home, site) {
                var grid = grids[floor] ?? FloorSlots()
                for slot in FloorSlots.slots(within: Self.reachMetres, of: scanner.point) {
                    guard let cell = cell(slot, floor, &grid, site, paths) else { continue }
                    let end = RadioPlace(
                        floor: floor, point: cells[Int(cell)].point,
                        height: RadioPaths.deviceHeightMetres)
                    guard let path = paths.path(from: place, to: end) else { continue }
                    heard.append((cell, Float(model.rssi(facts, path))))
                }
                grids[floor] = grid
            }
            heard.sort { $0.cell < $1.cell }
            nodes.append(
                Node(
                    scanner: scanner.id, point: scanner.point,
                    elevation: Float(paths.elevation(of: place)),
                    deviation: Float(facts.deviation), base: Float(model.level + facts.offset),
                    exponent: Float(facts.exponent), isCalibrated: facts.isCalibrated,
                    cells: heard.map(\.cell), rssi: heard.map(\.rssi)))
        }
        for number in nodes.indices {
            let point = nodes[number].point
            nodes[number].neighbours = nodes.indices.filter {
                $0 != number && abs(nodes[$0].elevation - nodes[number].elevation) < 2
                    && nodes[$0].point.distance(to: point) <= Self.neighbourMetres
            }
        }
    }

    private static func floors(around home: FloorIndex, _ site: SiteIndex) -> [FloorIndex] {
        let (building, ordinal) = (site.floor(home).building, site.floor(home).ordinal)
        return site.floors.indices.filter {
            site.floors[$0].building == building
                && abs(site.floors[$0].ordinal - ordinal) <= mostFloorsBetween
        }.map(FloorIndex.init)
    }

    /// The cell in a slot of a floor, which is made at its first use. Nil outside of the rooms of a
    /// floor that has some.
    private mutating func cell(
        _ slot: FloorSlots.Slot, _ floor: FloorIndex, _ grid: inout FloorSlots, _ site: SiteIndex,
        _ paths: RadioPaths
    ) -> Int32? {
        if let known = grid.cells[slot] { return known < 0 ? nil : known }
        let point = slot.point
        let room = site.room(at: point, on: floor)
        let hasRooms =
            grid.hasRooms
            ?? site.rooms.indices.contains {
                site.rooms[$0].floor == site.floor(floor).id && site.outline(RoomIndex($0)) != nil
            }
        grid.hasRooms = hasRooms
        guard room != nil || !hasRooms else {
            grid.cells[slot] = -1
            return nil
        }
        let isPassage = room.map { RoomRole(kind: site.room($0).kind) != .room } ?? false
        let number = Int32(cells.count)
        cells.append(
            Cell(
                point: point, floor: Int32(floor.value), room: Int32(room?.value ?? -1),
                elevation: Float(
                    paths.elevation(
                        of: RadioPlace(
                            floor: floor, point: point,
                            height: RadioPaths.deviceHeightMetres))),
                prior: isPassage ? log(Self.passageShare) : 0))
        grid.cells[slot] = number
        return number
    }
}
