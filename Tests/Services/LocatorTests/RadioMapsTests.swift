import EventLog
import Events
import Positioning
import ServiceHost
import Site
import TestSupport
import Testing

@testable import Locator

@Suite(
    "The radio maps of a locator",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct RadioMapsTests {
    /// Each time that it is made ready gives another object.
    private struct Prepared: Positioner {
        let name: String
        var followsChoice = false
        private let base = CountingPositioner()

        init(_ name: String, followsChoice: Bool) {
            self.name = name
            self.followsChoice = followsChoice
        }

        func following(_ choice: String?) -> any Positioner { self }

        func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
            Marked(base: base.prepare(map, site: site))
        }
    }

    private final class Marked: PreparedPositioner {
        let base: any PreparedPositioner
        init(base: any PreparedPositioner) { self.base = base }

        func locate(
            _ scan: RadioScan, state: PositionerState, seed: UInt64,
            scratch: inout PositionerScratch
        ) -> (estimate: Estimate, state: PositionerState) {
            base.locate(scan, state: state, seed: seed, scratch: &scratch)
        }
    }

    @Test(
        "A newer map is not overtaken by an older one, and a choice makes ready only what follows it"
    )
    func order() async throws {
        let bench = try await LocatorBench(.postgres)
        defer { bench.stop() }
        let host = try bench.host()
        let maps = RadioMaps(
            host: host,
            positioners: [
                WorkingPositioner(
                    positioner: Prepared("fixed", followsChoice: false), option: "fixed"),
                WorkingPositioner(
                    positioner: Prepared("following", followsChoice: true), option: "following"),
            ])
        let site = try #require(host.sites[LocatorBench.site])
        func adopt(version: Int, choice: Int?) throws -> LoadedMap {
            maps.adopt(
                .empty, LocatorBench.announcement(version: version),
                choice: choice.map { number in
                    PositionerChosen(
                        site: LocatorBench.site, radioMapVersion: number, hash: "",
                        positioner: "blend:exponent=\(number)", meanErrorMetres: nil, floorHit: nil,
                        chosenAt: Timestamp(microseconds: 0))
                }, site: site)
            return try #require(maps[LocatorBench.site])
        }
        func isKept(_ index: Int, _ before: LoadedMap, _ after: LoadedMap) -> Bool {
            before.prepared[index].positioner as? Marked
                === after.prepared[index].positioner as? Marked
        }
        let second = try adopt(version: 2, choice: nil)
        #expect(second.announcement?.version == 2)
        #expect(try adopt(version: 1, choice: nil).announcement?.version == 2)
        let chosen = try adopt(version: 2, choice: 2)
        #expect(chosen.choice?.radioMapVersion == 2)
        #expect(isKept(0, second, chosen) && !isKept(1, second, chosen))
        let third = try adopt(version: 3, choice: 2)
        #expect(third.announcement?.version == 3)
        #expect(!isKept(0, chosen, third) && !isKept(1, chosen, third))
        await host.log.close()
    }
}
