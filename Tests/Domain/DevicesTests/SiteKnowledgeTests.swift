import Devices
import Events
import Magnetic
import Positioning
import SampleSites
import SeededRandomness
import Site
import Testing

@Suite("Sources and positioners of a site") struct SiteKnowledgeTests {
    private static func choice(_ version: Int, _ name: String = "blend") -> PositionerChosen {
        PositionerChosen(
            site: SampleSite.id, radioMapVersion: version, hash: "", positioner: name,
            meanErrorMetres: nil, floorHit: nil, chosenAt: Timestamp(microseconds: 0))
    }

    @Test(
        "Events give the same sources in every order, and when they are sent twice",
        arguments: 0..<20 as Range<UInt64>)
    func fold(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var evolutions: [(inout SiteSources) -> Void] = []
        for version in 1...3 {
            evolutions.append {
                $0.evolve(Script.announcement(hash: "map \(version)", version: version))
            }
            evolutions.append { $0.evolve(Self.choice(version)) }
        }
        evolutions.append(contentsOf: evolutions.prefix(3))
        var sources = SiteSources(SampleSite.id)
        for evolve in evolutions.shuffled(using: &random) { evolve(&sources) }
        #expect(sources.map?.hash == "map 3")
        #expect(sources.choice?.radioMapVersion == 3)
    }

    @Test("A choice may come before its map, and a newer choice for the same map counts")
    func choices() {
        var sources = SiteSources(SampleSite.id)
        sources.evolve(Self.choice(2, "one"))
        #expect(sources.map == nil && sources.choice?.positioner == "one")
        sources.evolve(Self.choice(2, "two"))
        sources.evolve(Self.choice(1, "three"))
        #expect(sources.choice?.positioner == "two")
    }

    /// A positioner that uses choices, if it is made to.
    private struct Following: Positioner {
        let name: String
        let followsChoice: Bool

        func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
            RoomCounter.Prepared(padding: 0)
        }
    }

    @Test(
        "A positioner is prepared again only for another map, site or choice that it uses")
    func kept() throws {
        let working = [
            WorkingPositioner(
                positioner: Following(name: "fixed", followsChoice: false), option: "fixed"),
            WorkingPositioner(
                positioner: Following(name: "following", followsChoice: true), option: "following"),
        ]
        func knowledge(
            map: String, site: Int = 1, choice: Int? = nil, _ known: SiteKnowledge?
        ) -> SiteKnowledge {
            SiteKnowledge(
                SiteSources(
                    SampleSite.id, site: PublishedSite(version: site, index: SampleSite.index),
                    map: Script.announcement(hash: map),
                    choice: choice.map { Self.choice($0, "blend \($0)") }), map: .empty,
                positioners: working, known: known, Script.digests)
        }
        func isKept(_ one: SiteKnowledge, _ other: SiteKnowledge) -> [Bool] {
            zip(one.positioners, other.positioners).map {
                $0.prepared as? RoomCounter.Prepared === $1.prepared as? RoomCounter.Prepared
            }
        }
        let first = knowledge(map: "one", nil)
        #expect(isKept(first, knowledge(map: "one", first)) == [true, true])
        let chosen = knowledge(map: "one", choice: 1, first)
        #expect(isKept(first, chosen) == [true, false])
        #expect(chosen.positioners.map(\.choiceVersion) == [nil, 1])
        #expect(isKept(chosen, knowledge(map: "two", choice: 1, chosen)) == [false, false])
        #expect(
            isKept(chosen, knowledge(map: "one", site: 2, choice: 1, chosen)) == [false, false])
    }
}
