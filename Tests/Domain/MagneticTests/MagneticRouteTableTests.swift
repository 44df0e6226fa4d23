import Events
import Geometry
import Magnetic
import Testing

@Suite("MagneticRouteTable") struct MagneticRouteTableTests {
    @Test("The table has only valid routes, until they are deleted or recorded again")
    func life() throws {
        let bench = SimulatedField(seed: 3, width: 30, depth: 0)
        let line = [Point(x: 0, y: 0), Point(x: 30, y: 0)]
        func walk(_ seed: Int) -> MagneticWalk {
            let (moments, steps) = SimulatedWalker().walk(line, through: bench, seed: seed)
            return MagneticWalk(samples: moments.map(\.sample), stepsAtMilliseconds: steps)
        }
        let (site, id) = (SiteID("s"), MagneticRouteID("a"))
        let now = Timestamp(milliseconds: 0)
        var state = MagneticRouteState(site: site, route: id)
        var table = MagneticRouteTable(site: site)
        func record(_ seed: Int) throws {
            let event = try #require(
                try state.record(
                    floor: FloorID("0"),
                    polyline: line.map { MagneticRoutePoint(x: $0.x, y: $0.y) },
                    walk: walk(seed), at: now))
            state.evolve(event)
            table.evolve(event)
        }
        try record(1)
        #expect(table.routes.isEmpty && table.versions.isEmpty)
        let validated = try #require(try state.validate(by: walk(2), at: now))
        state.evolve(validated)
        table.evolve(validated)
        table.evolve(validated)
        // Compaction leaves the last event of a route, which is enough.
        var late = MagneticRouteTable(site: site)
        late.evolve(validated)
        #expect(late.routes.map(\.profile) == table.routes.map(\.profile))
        #expect(late.versions == table.versions)
        // In the form of earlier releases it names no recording, and the route waits for one.
        var former = validated
        former.recorded = nil
        var without = MagneticRouteTable(site: site)
        without.evolve(former)
        #expect(without.routes.isEmpty && without.versions.isEmpty)
        let served = try #require(table.routes.first)
        let expected = try #require(state.matchable)
        #expect(served.profile == expected.profile)
        #expect(served.errorMetres == expected.errorMetres)
        #expect(served.reliability == 1 - validated.elsewhere)
        #expect(table.versions == ["a/2"])
        try record(3)
        #expect(table.routes.isEmpty)
        let again = try #require(try state.validate(by: walk(2), at: now))
        state.evolve(again)
        table.evolve(again)
        #expect(table.versions == ["a/4"])
        late.evolve(again)
        #expect(late.routes.map(\.profile) == table.routes.map(\.profile))
        #expect(late.versions == table.versions)
        table.evolve(try state.delete(at: now))
        #expect(table.routes.isEmpty && table.versions.isEmpty)
    }
}
