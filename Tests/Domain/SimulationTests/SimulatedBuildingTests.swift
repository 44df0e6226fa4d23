import Events
import Foundation
import Geometry
import Repository
import Site
import Testing

@testable import Simulation

@Suite("SimulatedBuilding") struct SimulatedBuildingTests {
    let building = SimulatedBuilding.make(seed: 1)
    let plan = FloorPlan.house

    /// Pairs of rooms that share floor space.
    static func overlaps(_ rooms: [PlanRoom]) -> [(String, String)] {
        rooms.indices.flatMap { first in
            rooms[(first + 1)...].compactMap { other in
                let room = rooms[first]
                let width =
                    min(room.x.upperBound, other.x.upperBound)
                    - max(room.x.lowerBound, other.x.lowerBound)
                let depth =
                    min(room.y.upperBound, other.y.upperBound)
                    - max(room.y.lowerBound, other.y.lowerBound)
                return width > 0 && depth > 0 ? (room.name, other.name) : nil
            }
        }
    }

    @Test("Rooms do not overlap")
    func noOverlap() {
        #expect(Self.overlaps(plan.rooms).isEmpty)
        // A planted room that overlaps must be noticed.
        let planted = PlanRoom(name: "planted", kind: .room, x: 7...9, y: 3...4)
        #expect(Self.overlaps(plan.rooms + [planted]).count == 2)
    }

    @Test("Every room can be reached from every other, by doors that both rooms touch")
    func connected() {
        for door in plan.doors {
            #expect(plan.rooms[door.first].contains(door.point))
            #expect(plan.rooms[door.second].contains(door.point))
        }
        for start in plan.rooms.indices {
            for end in plan.rooms.indices {
                let way = plan.way(from: start, to: end)
                #expect(way != nil)
                #expect(way?.last?.room ?? start == end)
            }
        }
    }

    @Test("Doors connect the rooms of each storey; stairs and lifts connect storeys in each wing")
    func ways() {
        let connections = building.document.connections
        let counts = Dictionary(grouping: connections, by: \.kind).mapValues(\.count)
        #expect(counts == [.door: 3 * plan.doors.count + 1, .stairs: 4, .lift: 2])
        #expect(Set(connections.map(\.id)).count == connections.count)
        #expect(SiteValidation.faults(in: building.document).isEmpty)
        for stop in connections.flatMap(\.stops) {
            guard let room = building.document.rooms.first(where: { $0.id == stop.room }) else {
                #expect(stop.floor == nil)
                continue
            }
            #expect(room.floor == stop.floor)
            #expect((room.outline.corners[0].x...room.outline.corners[2].x).contains(stop.point.x))
            #expect((room.outline.corners[0].y...room.outline.corners[2].y).contains(stop.point.y))
        }
    }

    @Test("Three storeys of two wings with labs of 8 x 10 m, stairs, lifts and sixty access points")
    func contents() {
        let document = building.document
        #expect(document.floors.map(\.ordinal) == [0, 1, 2])
        #expect(building.accessPoints.count == 60)
        #expect(Set(building.accessPoints.map(\.bssid)).count == 60)
        #expect(Set(document.rooms.map(\.id)).count == document.rooms.count)
        let labs = document.rooms.filter { $0.name.hasPrefix("Lab") }
        #expect(labs.count == 3 * 22)
        for lab in labs {
            #expect(lab.outline.corners[2].x - lab.outline.corners[0].x == 8)
            #expect(lab.outline.corners[2].y - lab.outline.corners[0].y == 10)
        }
        for floor in document.floors {
            let kinds = document.rooms.filter { $0.floor == floor.id }.map(\.kind)
            #expect(kinds.count { $0 == "stairs" } == 2)
            #expect(kinds.count { $0 == "lift" } == 2)
            #expect(kinds.count { $0 == "corridor" } == 3)
        }
        #expect(document.rooms.allSatisfy { isWellFormedIdentifier($0.id.text) })
        #expect(document.locations.count == document.rooms.count)
    }

    @Test("Access points hang in rooms, twenty on each storey")
    func accessPoints() {
        for storey in 0..<3 {
            #expect(building.accessPoints.count { $0.storey == storey } == 20)
        }
        for point in building.accessPoints {
            #expect(plan.room(at: PlanPoint(x: point.x, y: point.y)) != nil)
        }
    }

    @Test("Equal seeds give equal buildings, and different seeds different ones")
    func seeded() {
        let again = SimulatedBuilding.make(seed: 1)
        let other = SimulatedBuilding.make(seed: 2)
        let place = RadioModelTests.place(x: 20, y: 11)
        func levels(_ building: SimulatedBuilding) -> [Double?] {
            (0..<60).map { building.level(of: $0, at: place, hopeless: -200) }
        }
        #expect(again.accessPoints == building.accessPoints)
        #expect(levels(again) == levels(building))
        #expect(levels(other) != levels(building))
        #expect(other.document == building.document)
    }

    @Test("The drawing in docs shows the current first storey")
    func drawing() throws {
        let drawn = FloorDrawing.svg(of: building, storey: 0)
        let file = repository.appending(path: "docs/simulated-floor.svg")
        if !FileManager.default.fileExists(atPath: file.path) {
            try drawn.write(to: file, atomically: true, encoding: .utf8)
            Issue.record("docs/simulated-floor.svg was missing and is drawn now: look at it")
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == drawn)
    }
}
