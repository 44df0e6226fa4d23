import Events
import Geometry
import Glibc
import Site

/// The cells of a site where nodes may hear a device, and the way from each scanner to those around
/// it. Everything that follows from the site alone: a large site has millions of ways.
///
/// It is a class, so that the fields of later calibrations share it.
final class NodeGround: Sendable {
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

    /// A scanner with its ways, one for each of its cells.
    struct Scanner: Sendable {
        var id: ScannerID
        var point: Point
        var elevation: Float
        /// The cells around it, ascending.
        var cells: [Int32]
        var metres: [Double]
        var walls: [UInt8]
        var floors: [UInt8]

        func path(_ number: Int) -> RadioPath {
            RadioPath(
                metres: metres[number], walls: Int(walls[number]), floors: Int(floors[number]))
        }
    }

    let cells: [Cell]
    /// Ordered by id.
    let scanners: [Scanner]

    /// - Parameter nodes: senders or receivers at known places; nil for the site's scanners.
    init(_ site: SiteIndex, _ nodes: [SiteScanner]? = nil) {
        var drawing = Drawing(site)
        scanners = (nodes ?? site.document.scanners).sorted { $0.id < $1.id }
            .map { drawing.scanner($0) }
        cells = drawing.cells
    }

    /// Makes the cells, each at its first use.
    private struct Drawing {
        private let site: SiteIndex
        private let paths: RadioPaths
        private var grids: [FloorIndex: FloorSlots] = [:]
        private(set) var cells: [Cell] = []

        init(_ site: SiteIndex) {
            self.site = site
            paths = RadioPaths(site)
        }

        mutating func scanner(_ scanner: SiteScanner) -> Scanner {
            // Every scanner's floor is in a valid site.
            let home = site.floorIndex(scanner.floor)!
            let place = RadioPlace(
                floor: home, point: scanner.point,
                height: scanner.heightMetres ?? RadioPaths.usualHeightMetres)
            var ways: [(cell: Int32, path: RadioPath)] = []
            for floor in floors(around: home) {
                var grid = grids[floor] ?? FloorSlots()
                for slot in FloorSlots.slots(within: NodeFields.reachMetres, of: scanner.point) {
                    guard let cell = cell(slot, floor, &grid) else { continue }
                    let end = RadioPlace(
                        floor: floor, point: cells[Int(cell)].point,
                        height: RadioPaths.deviceHeightMetres)
                    guard let path = paths.path(from: place, to: end) else { continue }
                    ways.append((cell, path))
                }
                grids[floor] = grid
            }
            ways.sort { $0.cell < $1.cell }
            return Scanner(
                id: scanner.id, point: scanner.point,
                elevation: Float(paths.elevation(of: place)), cells: ways.map(\.cell),
                metres: ways.map(\.path.metres), walls: ways.map { UInt8($0.path.walls) },
                floors: ways.map { UInt8($0.path.floors) })
        }

        private func floors(around home: FloorIndex) -> [FloorIndex] {
            let (building, ordinal) = (site.floor(home).building, site.floor(home).ordinal)
            return site.floors.indices.filter {
                site.floors[$0].building == building
                    && abs(site.floors[$0].ordinal - ordinal) <= NodeFields.mostFloorsBetween
            }.map(FloorIndex.init)
        }

        /// The cell in a slot of a floor. Nil outside of the rooms of a floor that has some.
        private mutating func cell(
            _ slot: FloorSlots.Slot, _ floor: FloorIndex, _ grid: inout FloorSlots
        ) -> Int32? {
            if let known = grid.cells[slot] { return known < 0 ? nil : known }
            let point = slot.point
            let room = site.room(at: point, on: floor)
            let hasRooms =
                grid.hasRooms
                ?? site.rooms.indices.contains {
                    site.rooms[$0].floor == site.floor(floor).id
                        && site.outline(RoomIndex($0)) != nil
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
                    prior: isPassage ? log(NodeFields.passageShare) : 0))
            grid.cells[slot] = number
            return number
        }
    }
}
