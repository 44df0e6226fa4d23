import Events
import Positioning
import SampleSites
import SeededRandomness
import Site
import Testing

@Suite struct RadioMapBuilderTests {
    @Test("The order of surveys, and repeated surveys, do not matter", arguments: 0..<10)
    func order(seed: Int) {
        var random = SeededRandom(seed: seed)
        let shuffled = SampleSite.surveys.shuffled(using: &random) + SampleSite.surveys.prefix(5)
        let built = RadioMapBuilder.build(shuffled, site: SampleSite.index)
        #expect(built.map == SampleSite.map)
        #expect(built.rejections.isEmpty)
    }

    @Test("Two different surveys with one id give the same map in either order")
    func sameID() {
        var other = SampleSite.surveys[0]
        other.scan.wifi[0].rssi -= 1
        let surveys = SampleSite.surveys
        let after = RadioMapBuilder.build(surveys + [other], site: SampleSite.index)
        let before = RadioMapBuilder.build([other] + surveys, site: SampleSite.index)
        #expect(after == before)
        #expect(after.map.fingerprints.count == surveys.count)
    }

    @Test("Each survey is a fingerprint with its floor, room, place and readings")
    func columns() throws {
        let map = SampleSite.map
        #expect(map.fault == nil)
        #expect(map.fingerprints.count == SampleSite.surveys.count)
        #expect(map.transmitters.count == 8)
        #expect(map.floors == [SampleSite.first, SampleSite.ground])
        #expect(map.rooms.map(\.text) == ["A", "B", "C", "D"])
        let survey = SampleSite.surveys[5]
        let row = try #require(map.fingerprints.firstIndex { $0.survey == survey.scan.id })
        let fingerprint = map.fingerprints[row]
        #expect(map.places[Int(fingerprint.place)].name == "0.5,5.5")
        #expect(map.rooms[Int(fingerprint.room)].text == "A")
        let readings = map.readings(of: row).map { position in
            RadioReading(
                transmitter: map.transmitters[Int(map.readingTransmitter[position])],
                rssi: map.readingRSSI[position])
        }
        #expect(readings == RadioScan(survey.scan).readings)
    }

    @Test("A gap of more than a minute starts another walk")
    func walks() {
        let numbers = [0, 30, 60, 125, 180]
        let surveys = numbers.enumerated().map { index, seconds in
            SurveyRecorded(
                scan: SampleSite.scan(index, wifi: [], seconds: seconds),
                place: .location(LocationID("desk")))
        }
        let map = RadioMapBuilder.build(surveys.reversed(), site: SampleSite.index).map
        #expect(map.fingerprints.map(\.walk) == [0, 0, 0, 1, 1])
        #expect(map.places.map(\.name) == ["desk"])
    }

    @Test("Surveys at places that are not in the site are rejected with a reason")
    func rejections() {
        var lost = SampleSite.surveys[0]
        lost.place = .location(LocationID("nowhere"))
        let built = RadioMapBuilder.build([lost], site: SampleSite.index)
        #expect(built.map == .empty)
        #expect(built.rejections.map(\.fault) == [.unknownLocation])
        #expect(built.rejections.map(\.survey) == [lost.scan.id])
    }

    @Test("A place's statistics sum up its surveys")
    func statistics() throws {
        let levels = [[-40, -70], [-44], [-48, -72]]
        let surveys = levels.enumerated().map { index, rssi in
            SurveyRecorded(
                scan: SampleSite.scan(
                    index,
                    wifi: rssi.enumerated().map { number, rssi in
                        WiFiReading(bssid: HardwareAddress(value: UInt64(number + 1)), rssi: rssi)
                    }), place: .location(LocationID("desk")))
        }
        let map = RadioMapBuilder.build(surveys, site: SampleSite.index).map
        let built = map.placeStatistics(site: SampleSite.id, version: 3)
        #expect(built.count == 1)
        #expect(built[0].place == "desk")
        #expect(built[0].room == RoomID("A"))
        #expect(built[0].surveys == 3)
        let near = try #require(built[0].readings.first)
        #expect(near.accessPoint == "wifi/00:00:00:00:00:01")
        #expect(near.mean == -44)
        #expect(abs(near.deviation - 3.265_986) < 1e-5)
        #expect(near.detection == 1)
        #expect(abs(built[0].readings[1].detection - 2.0 / 3) < 1e-12)
    }
}
