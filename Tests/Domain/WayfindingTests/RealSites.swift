import Archive
import Events
import Geometry
import OpenStreetMap
import PublicData
import Site
import SiteExchange
import Wire

@testable import Simulation
@testable import Wayfinding

/// Sites for random queries: the simulated house, and real sites if the data sets are present.
enum RealSites {
    /// All storeys are joined by stairs and a lift in each wing; accessibility is unknown.
    static func house() throws -> WayFinder {
        var document = SimulatedBuilding.make(seed: 1).document
        document.connections = []
        let plan = FloorPlan.house
        func stop(_ room: Int, _ storey: Int, _ point: PlanPoint) -> ConnectionStop {
            ConnectionStop(
                floor: SimulatedBuilding.floor(storey),
                room: RoomID("\(storey).\(plan.rooms[room].name)"), point: [point.x, point.y])
        }
        for storey in 0..<SimulatedBuilding.storeys {
            for (number, door) in plan.doors.enumerated() {
                document.connections.append(
                    ConnectionRecord(
                        id: ConnectionID("door.\(storey).\(number)"), kind: .door,
                        stops: [
                            stop(door.first, storey, door.point),
                            stop(door.second, storey, door.point),
                        ]))
            }
            guard storey + 1 < SimulatedBuilding.storeys else { continue }
            for room in plan.rooms(of: .stairs) {
                document.connections.append(
                    ConnectionRecord(
                        id: ConnectionID("stairs.\(storey).\(plan.rooms[room].name)"),
                        kind: .stairs,
                        stops: [
                            stop(room, storey, plan.rooms[room].centre),
                            stop(room, storey + 1, plan.rooms[room].centre),
                        ]))
            }
        }
        for room in plan.rooms(of: .lift) {
            let stops = (0..<SimulatedBuilding.storeys).map {
                stop(room, $0, plan.rooms[room].centre)
            }
            document.connections.append(
                ConnectionRecord(
                    id: ConnectionID("lift.\(plan.rooms[room].name)"), kind: .lift, stops: stops))
        }
        return WayFinder(try WayNetwork(try SiteIndex(document)))
    }

    /// Moorgate station and the streets around it; nil without the data sets.
    static func moorgate() throws -> WayFinder? { try moorgateOnce.get() }

    /// A campus in IMDF; nil without the data sets.
    static func polytech() throws -> WayFinder? { try polytechOnce.get() }

    private static let moorgateOnce = Result<WayFinder?, any Error> {
        guard let path = SharedData.path("osm/moorgate.osm.gz") else { return nil }
        var data = OpenStreetMapData()
        try OpenStreetMapFile(path: path).read { entity in
            switch entity {
            case .node(let node):
                data.nodes.append(
                    OpenStreetMapData.Node(
                        id: node.id, latitude: node.latitude, longitude: node.longitude,
                        tags: node.tags))
            case .way(let way):
                data.ways.append(
                    OpenStreetMapData.Way(id: way.id, nodes: way.nodes, tags: way.tags))
            case .relation(let relation):
                let members = relation.members.map { member in
                    OpenStreetMapData.Relation.Member(
                        kind: member.kind == .node ? .node : member.kind == .way ? .way : .relation,
                        id: member.id, role: member.role)
                }
                data.relations.append(
                    OpenStreetMapData.Relation(
                        id: relation.id, members: members, tags: relation.tags))
            }
        }
        return try finder(try OpenStreetMapImport().site(from: data))
    }

    private static let polytechOnce = Result<WayFinder?, any Error> {
        guard let path = SharedData.path("imdf/polytech.imdf.zip") else { return nil }
        var files: [ArchivedFile] = []
        try ArchiveReader(path: path).forEachEntry { entry, bytes in
            files.append(ArchivedFile(path: entry.path, bytes: bytes))
        }
        return try finder(try IMDFImport().site(from: try IMDFArchive(files: files)))
    }

    private static func finder(_ imported: ImportedSite) throws -> WayFinder {
        WayFinder(try WayNetwork(try SiteIndex(imported.document)))
    }
}
